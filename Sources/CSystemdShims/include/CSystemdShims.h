// sd-bus declares its vtable entries as macros, which Swift cannot import.
// Each function here is one of those macros with its arguments as parameters.
#pragma once
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/xattr.h>
// Keeps fcntl.h out, which sd-json.h of systemd 262 includes: else Swift takes this module, not Glibc, for the one that
// defines `stat`.
#define _FCNTL_H
#include <systemd/sd-bus.h>
#undef _FCNTL_H

static inline sd_bus_vtable csd_vtable_start(void) {
    return (sd_bus_vtable)SD_BUS_VTABLE_START(0);
}

// names: the arguments' names, in before out, each terminated by a NUL, and one more NUL at the end. The
// macro needs string literals there; an empty one is passed, and the real names are set afterwards.
static inline sd_bus_vtable csd_vtable_method(const char *member, const char *signature,
                                              const char *result, const char *names,
                                              sd_bus_message_handler_t handler) {
    sd_bus_vtable entry = SD_BUS_METHOD_WITH_NAMES(member, signature, "", result, "", handler,
                                                   SD_BUS_VTABLE_UNPRIVILEGED);
    entry.x.method.names = names;
    return entry;
}

static inline sd_bus_vtable csd_vtable_property(const char *member, const char *signature,
                                                sd_bus_property_get_t getter) {
    return (sd_bus_vtable)SD_BUS_PROPERTY(member, signature, getter, 0,
                                          SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE);
}

static inline sd_bus_vtable csd_vtable_signal(const char *member, const char *signature,
                                              const char *names) {
    sd_bus_vtable entry = SD_BUS_SIGNAL_WITH_NAMES(member, signature, "", 0);
    entry.x.signal.names = names;
    return entry;
}

static inline sd_bus_vtable csd_vtable_end(void) {
    return (sd_bus_vtable)SD_BUS_VTABLE_END;
}

// Lets programs started from now on inherit only the standard descriptors. Those that this program opens are
// already close-on-exec; it may have inherited others.
void csd_close_inherited_on_exec(void);

// Returns the pages of the main thread's stack below the caller to the kernel, which would keep those of the deepest
// call. Does nothing on another thread.
void csd_release_stack(void);
