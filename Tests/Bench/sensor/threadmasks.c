/* SPDX-License-Identifier: MIT */
/* Preloaded before umockdev's library, which blocks all signals around each call that it redirects, and keeps the former
   mask in one variable for all threads: it unlocks before it restores. So a thread can get the mask of another one,
   and then no signal ends a program that handles them by functions. Here each thread gets its own mask back. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>

typedef int mask_function(int, const sigset_t *, sigset_t *);

static __thread sigset_t former;
static __thread int is_kept;

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    mask_function *next = (mask_function *)dlsym(RTLD_NEXT, "pthread_sigmask");
    if (how != SIG_SETMASK || !set)
        return next(how, set, old);
    if (!old && is_kept) {
        is_kept = 0;
        return next(how, &former, NULL);
    }
    int code = next(how, set, old);
    if (old && code == 0) {
        former = *old;
        is_kept = 1;
    }
    return code;
}
