/* SPDX-License-Identifier: MIT */
/* Preloaded before umockdev's library: while the file $AUTOROTATE_BENCH_BUSY exists, raw values of a sensor
   give EBUSY, as with many drivers while a program streams through their buffer. Those fail when the value is
   read, this one when its file is opened; libiio reports both the same. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef FILE *open_function(const char *, const char *);

static int is_busy(const char *path)
{
    const char *flag = getenv("AUTOROTATE_BENCH_BUSY"), *name = strrchr(path, '/');
    if (!flag || !name || strncmp(name, "/in_accel_", 10) || !strstr(name, "_raw"))
        return 0;
    return access(flag, F_OK) == 0;
}

static FILE *open_unless_busy(const char *function, const char *path, const char *mode)
{
    if (!is_busy(path))
        return ((open_function *)dlsym(RTLD_NEXT, function))(path, mode);
    errno = EBUSY;
    return NULL;
}

FILE *fopen(const char *path, const char *mode)
{
    return open_unless_busy("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return open_unless_busy("fopen64", path, mode);
}
