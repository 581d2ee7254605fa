// SPDX-License-Identifier: MIT
#pragma once
// Some functions that the newest GTK deprecates have no replacement in GTK 4.8, the oldest supported version.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#include <adwaita.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

// Newer GLib marks enumerations as flags, which changes their names in Swift.
static const guint cadw_connect_swapped = G_CONNECT_SWAPPED;

// Text that does not fit into the pipe is dropped.
static inline void cadw_write_without_waiting(GOutputStream *stream, const char *text, gsize length) {
  g_pollable_output_stream_write_nonblocking(G_POLLABLE_OUTPUT_STREAM(stream), text, length, NULL, NULL);
}

// Runs between fork and exec: only async-signal-safe functions.
static inline void cadw_end_with_parent(gpointer parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have ended before prctl.
  if (getppid() != (pid_t)GPOINTER_TO_INT(parent)) _exit(127);
}

// Programs that it starts end with this process, even if this process is killed.
static inline GSubprocessLauncher *cadw_subprocess_launcher(void) {
  GSubprocessLauncher *launcher = g_subprocess_launcher_new(
    G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_subprocess_launcher_set_child_setup(launcher, cadw_end_with_parent, GINT_TO_POINTER(getpid()), NULL);
  return launcher;
}
