// SPDX-License-Identifier: MIT
#pragma once
// What is deprecated in the newest GTK is all there is in the oldest that the window is for, 4.8.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#include <adwaita.h>

// Newer GLib declares its flags as such, and then Swift knows them by other names.
static const guint cadw_connect_swapped = G_CONNECT_SWAPPED;
static const guint cadw_proxy_do_not_auto_start = G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START;
static const guint cadw_subprocess_stdout_pipe = G_SUBPROCESS_FLAGS_STDOUT_PIPE;
static const gint cadw_timed_out = G_IO_ERROR_TIMED_OUT;
static const guint cadw_subprocess_talk =
  G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE;
