/* SPDX-License-Identifier: MIT */
/* Preloaded before umockdev's library, which blocks all signals around each call that it redirects, and keeps the former
   mask in one variable for all threads, which it writes before it locks and reads after it has unlocked (0.17.16). So a
   thread can get the mask of another one, and then no signal ends a program. Here each thread gets its own mask back. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>

typedef int mask_function(int, const sigset_t *, sigset_t *);

enum { DEPTH = 8 };

static __thread sigset_t former[DEPTH];
static __thread int depth;

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    mask_function *next = (mask_function *)dlsym(RTLD_NEXT, "pthread_sigmask");
    if (how != SIG_SETMASK || !set)
        return next(how, set, old);
    if (!old)
        return next(how, depth > 0 ? &former[--depth] : set, NULL);
    /* Another thread may write to *old between the call and a look at it. */
    sigset_t mine;
    int code = next(how, set, &mine);
    if (code == 0) {
        *old = mine;
        if (depth < DEPTH)
            former[depth++] = mine;
    }
    return code;
}
