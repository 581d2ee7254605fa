// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols

/// A mode that KWin offers for an output; its size in pixels.
final class KWinMode {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var isRemoved = false
  let proxy: OpaquePointer

  /// - Parameter proxy: a `kde_output_device_mode_v2`, taken over.
  init(_ proxy: OpaquePointer) {
    self.proxy = proxy
    kde_output_device_mode_v2_add_listener(
      proxy, Self.listener, Unmanaged.passUnretained(self).toOpaque())
  }

  isolated deinit {
    kde_output_device_mode_v2_destroy(proxy)
  }

  private static let listener = pinned(
    kde_output_device_mode_v2_listener(
      size: { context, _, width, height in
        object(KWinMode.self, context)?.width = Int(width)
        object(KWinMode.self, context)?.height = Int(height)
      },
      refresh: { _, _, _ in },
      preferred: { _, _ in },
      removed: { context, _ in object(KWinMode.self, context)?.isRemoved = true },
      flags: { _, _, _ in },
      cvt: { _, _, _, _, _, _, _, _, _, _, _, _, _, _ in }))
}
