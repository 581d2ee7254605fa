// SPDX-License-Identifier: MIT
#pragma once
// What is deprecated in the newest GTK is all there is in the oldest that the window is for, 4.8.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#include <adwaita.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

// Newer GLib declares its flags as such, and then Swift knows them by other names.
static const guint cadw_connect_swapped = G_CONNECT_SWAPPED;
static const guint cadw_proxy_do_not_auto_start = G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START;
static const guint cadw_subprocess_stdout_pipe = G_SUBPROCESS_FLAGS_STDOUT_PIPE;
static const gint cadw_cancelled = G_IO_ERROR_CANCELLED;
static const guint cadw_bus_client =
  G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION;
static const guint cadw_subprocess_talk =
  G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE;

// What does not fit is dropped.
static inline void cadw_write_without_waiting(GOutputStream *stream, const char *text, gsize length) {
  g_pollable_output_stream_write_nonblocking(G_POLLABLE_OUTPUT_STREAM(stream), text, length, NULL, NULL);
}

// Between fork and exec, where little may be called.
static inline void cadw_end_with_parent(gpointer parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have ended before that.
  if (getppid() != (pid_t)GPOINTER_TO_INT(parent)) _exit(127);
}

// Its programs end with this process, also when this process is killed.
static inline GSubprocessLauncher *cadw_subprocess_launcher(guint flags) {
  GSubprocessLauncher *launcher = g_subprocess_launcher_new((GSubprocessFlags)flags);
  g_subprocess_launcher_set_child_setup(launcher, cadw_end_with_parent, GINT_TO_POINTER(getpid()), NULL);
  return launcher;
}
