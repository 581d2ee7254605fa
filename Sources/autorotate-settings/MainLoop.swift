// SPDX-License-Identifier: MIT

import CAdwaita
import System

/// GTK's loop also handles the events of libsystemd, as sd_event_get_fd(3) describes.
enum MainLoop {
  /// What `System` and `Configuration` wait for.
  static let events = attached()

  nonisolated(unsafe) private static var functions = GSourceFuncs(
    prepare: { _, _ in MainActor.assumeIsolated { events.prepare() ? 1 : 0 } },
    check: { _ in MainActor.assumeIsolated { events.poll() ? 1 : 0 } },
    dispatch: { _, _, _ in
      MainActor.assumeIsolated { events.dispatch() }
      return 1
    },
    finalize: nil, closure_callback: nil, closure_marshal: nil)

  private static func attached() -> EventLoop {
    guard let loop = try? EventLoop() else { preconditionFailure("sd_event_new") }
    let source = g_source_new(&functions, guint(MemoryLayout<GSource>.size))
    g_source_add_unix_fd(source, loop.descriptor, G_IO_IN)
    g_source_attach(source, nil)
    g_source_unref(source)
    return loop
  }
}
