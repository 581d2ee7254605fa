// SPDX-License-Identifier: MIT
#pragma once
#include "ext-idle-notify-v1-client-protocol.h"
#include "kde-dpms-client-protocol.h"
#include "kde-idle-client-protocol.h"
#include "kde-output-device-v2-client-protocol.h"
#include "kde-output-management-v2-client-protocol.h"
#include "wlr-foreign-toplevel-management-unstable-v1-client-protocol.h"
#include "wlr-output-management-unstable-v1-client-protocol.h"
#include "wlr-output-power-management-unstable-v1-client-protocol.h"
#include "xdg-output-unstable-v1-client-protocol.h"

// The interfaces of globals. libwayland compares interfaces by address; Swift may pass the address of a copy.

static inline const struct wl_interface *cwl_ext_idle_notifier_v1(void) {
    return &ext_idle_notifier_v1_interface;
}

static inline const struct wl_interface *cwl_org_kde_kwin_dpms_manager(void) {
    return &org_kde_kwin_dpms_manager_interface;
}

static inline const struct wl_interface *cwl_org_kde_kwin_idle(void) {
    return &org_kde_kwin_idle_interface;
}

static inline const struct wl_interface *cwl_kde_output_device_v2(void) {
    return &kde_output_device_v2_interface;
}

static inline const struct wl_interface *cwl_kde_output_device_registry_v2(void) {
    return &kde_output_device_registry_v2_interface;
}

static inline const struct wl_interface *cwl_kde_output_management_v2(void) {
    return &kde_output_management_v2_interface;
}

static inline const struct wl_interface *cwl_zwlr_foreign_toplevel_manager_v1(void) {
    return &zwlr_foreign_toplevel_manager_v1_interface;
}

static inline const struct wl_interface *cwl_zwlr_output_manager_v1(void) {
    return &zwlr_output_manager_v1_interface;
}

static inline const struct wl_interface *cwl_zwlr_output_power_manager_v1(void) {
    return &zwlr_output_power_manager_v1_interface;
}

static inline const struct wl_interface *cwl_zxdg_output_manager_v1(void) {
    return &zxdg_output_manager_v1_interface;
}

// Each line of libwayland's log goes to the listener. Swift's compiler breaks down over a handler of its own on ARM,
// where arguments of any number are another type.
void cwl_set_log_handler(void (*listener)(const char *line));
