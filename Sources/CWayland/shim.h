// SPDX-License-Identifier: MIT
#pragma once
#include <wayland-client.h>

// libwayland compares interfaces by the address of a global; Swift may pass the address of a copy.
static inline const struct wl_interface *cwl_wl_output(void) { return &wl_output_interface; }
static inline const struct wl_interface *cwl_wl_seat(void) { return &wl_seat_interface; }
