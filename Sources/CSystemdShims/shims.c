#define _GNU_SOURCE
#include "CSystemdShims.h"
#include <unistd.h>

void csd_close_inherited_on_exec(void) { close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC); }
