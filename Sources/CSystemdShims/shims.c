#define _GNU_SOURCE
#include "CSystemdShims.h"
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void csd_close_inherited_on_exec(void) { close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC); }

void csd_release_stack(void) {
    // Less than the gap below the stack, in which the kernel maps nothing else (stack_guard_gap, 256 pages).
    const uintptr_t depth = 256 << 10;
    const uintptr_t page = sysconf(_SC_PAGESIZE);
    if (gettid() != getpid()) return;
    // The page of this frame stays, and the one below it.
    const uintptr_t end = ((uintptr_t)__builtin_frame_address(0) - page) & ~(page - 1);
    madvise((void *)(end - depth), depth, MADV_DONTNEED);
}
