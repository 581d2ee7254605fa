// SPDX-License-Identifier: MIT
// The memory layout of data that the program reads from the kernel and passes to C libraries, the same on x86 and ARM.
#include <stddef.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <xcb/xcb.h>

#include "CEvdev/shim.h"
#include "CSystemdShims/include/CSystemdShims.h"
#include "CToml/include/CToml.h"

#define IS(what, wanted) _Static_assert((what) == (wanted), #what " is not " #wanted)

IS(sizeof(void *), 8);
IS(sizeof(long), 8);
IS(sizeof(struct input_event), 24);
IS(offsetof(struct input_event, type), 16);
IS(offsetof(struct input_event, code), 18);
IS(offsetof(struct input_event, value), 20);
IS(sizeof(struct input_mask), 16);
IS(sizeof(struct inotify_event), 16);
IS(offsetof(struct inotify_event, len), 12);
IS(sizeof(struct sockaddr_un), 110);
IS(sizeof(struct timeval), 16);
IS(sizeof(xcb_generic_event_t), 36);

// The object contains the signedness that it was compiled with, so that a test can check the option's effect.
const int char_is_signed = (char)-1 < 0;
