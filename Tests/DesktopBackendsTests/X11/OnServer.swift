// SPDX-License-Identifier: MIT

import Testing

/// Tests on a real X server: eDP-1 1280x800, HDMI-1 1024x768 right of it, a touchscreen, a pen, a touchpad
/// and a mouse.
@Suite("on an X server", .enabled(if: Bench.isAvailable, Bench.comment), .serialized)
enum OnServer {}
