// Ends with 0 if csd_release_stack returns the pages of a call that has ended, and keeps what the caller uses.
#define _GNU_SOURCE
#include "CSystemdShims.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEPTH = 160 << 10, USED = 4 << 10 };

static uintptr_t page;

__attribute__((noinline)) static uintptr_t touch_below(void) {
    volatile char block[DEPTH];
    for (int i = 0; i < DEPTH; i++) block[i] = 1;
    return (uintptr_t)block & ~(page - 1);
}

static int is_resident(uintptr_t address) {
    unsigned char resident = 0;
    return mincore((void *)address, page, &resident) == 0 && (resident & 1);
}

int main(void) {
    page = sysconf(_SC_PAGESIZE);
    char used[USED];
    memset(used, 2, USED);
    const uintptr_t deep = touch_below();
    if (!is_resident(deep)) return 2;
    csd_release_stack();
    if (is_resident(deep)) return 3;
    for (int i = 0; i < USED; i++)
        if (used[i] != 2) return 4;
    return 0;
}
