// sd-bus declares its vtable entries as macros, which Swift cannot import.
// Each function here is one of those macros with its arguments as parameters.
#pragma once
#include <sys/epoll.h>
#include <systemd/sd-bus.h>

static inline sd_bus_vtable csd_vtable_start(void) {
    return (sd_bus_vtable)SD_BUS_VTABLE_START(0);
}

static inline sd_bus_vtable csd_vtable_method(const char *member, const char *signature,
                                              const char *names_in, const char *result,
                                              const char *names_out, sd_bus_message_handler_t handler) {
    (void)names_in;
    (void)names_out;
    return (sd_bus_vtable)SD_BUS_METHOD(member, signature, result, handler,
                                        SD_BUS_VTABLE_UNPRIVILEGED);
}

static inline sd_bus_vtable csd_vtable_property(const char *member, const char *signature,
                                                sd_bus_property_get_t getter) {
    return (sd_bus_vtable)SD_BUS_PROPERTY(member, signature, getter, 0,
                                          SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE);
}

static inline sd_bus_vtable csd_vtable_signal(const char *member, const char *signature) {
    return (sd_bus_vtable)SD_BUS_SIGNAL(member, signature, 0);
}

static inline sd_bus_vtable csd_vtable_end(void) {
    return (sd_bus_vtable)SD_BUS_VTABLE_END;
}
