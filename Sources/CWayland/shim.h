// SPDX-License-Identifier: MIT
#pragma once
#include <wayland-client.h>

// libwayland tells interfaces apart by the address of a global, and Swift may pass that of a copy.
static inline const struct wl_interface *cwl_wl_output(void) { return &wl_output_interface; }
static inline const struct wl_interface *cwl_wl_seat(void) { return &wl_seat_interface; }
