// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols

/// The outputs as every client sees them: for their names, and for how large their pictures are to the pixel.
final class WaylandOutputs {
  private let connection: WaylandConnection
  private let extents: OpaquePointer?
  private(set) var outputs: [WaylandOutput] = []

  init(_ connection: WaylandConnection) {
    self.connection = connection
    extents = connection.registry.bind(cwl_zxdg_output_manager_v1(), upTo: 3)
    connection.registry.watch(
      added: { [weak self] in self?.add($0) }, removed: { [weak self] in self?.remove($0) })
  }

  isolated deinit {
    for output in outputs { output.destroy() }
    if let extents { zxdg_output_manager_v1_destroy(extents) }
  }

  subscript(name: String) -> WaylandOutput? {
    outputs.first { $0.name == name }
  }

  subscript(global number: UInt32) -> WaylandOutput? {
    outputs.first { $0.global == number }
  }

  /// The registry's number of a `wl_output` of these. Unlike the proxy, it never comes to mean another.
  func global(of proxy: OpaquePointer?) -> UInt32? {
    outputs.first { $0.proxy == proxy }?.global
  }

  private func add(_ global: WaylandRegistry.Global) {
    guard global.interface == "wl_output",
      let proxy = connection.registry.bind(global, cwl_wl_output(), upTo: 4)
    else { return }
    outputs.append(WaylandOutput(proxy, global: global.name, extents: extents))
  }

  private func remove(_ global: WaylandRegistry.Global) {
    guard let index = outputs.firstIndex(where: { $0.global == global.name }) else { return }
    outputs.remove(at: index).destroy()
  }
}

/// One `wl_output`.
final class WaylandOutput {
  let proxy: OpaquePointer
  let global: UInt32
  private let extent: OpaquePointer?
  /// The connector's; `nil` before the compositor has told, or if it is too old to.
  private(set) var name: String?
  /// Pixels of the mode, before any turn.
  private(set) var mode: PictureSize?
  /// The picture in pixels of the desktop, as it is turned now.
  private(set) var picture: PictureSize?

  fileprivate init(_ proxy: OpaquePointer, global: UInt32, extents: OpaquePointer?) {
    self.proxy = proxy
    self.global = global
    extent = extents.flatMap { zxdg_output_manager_v1_get_xdg_output($0, proxy) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    wl_output_add_listener(proxy, Self.listener, context)
    if let extent { zxdg_output_v1_add_listener(extent, Self.extentListener, context) }
  }

  fileprivate func destroy() {
    if let extent { zxdg_output_v1_destroy(extent) }
    if wl_output_get_version(proxy) >= 3 { wl_output_release(proxy) } else { wl_output_destroy(proxy) }
  }

  private func take(name: UnsafePointer<CChar>?) {
    self.name = name.map { String(cString: $0) }
  }

  private static let listener = pinned(
    wl_output_listener(
      geometry: { _, _, _, _, _, _, _, _, _, _ in },
      mode: { context, _, flags, width, height, _ in
        guard flags & WL_OUTPUT_MODE_CURRENT.rawValue != 0 else { return }
        object(WaylandOutput.self, context)?.mode = PictureSize(width: width, height: height)
      },
      done: { _, _ in },
      scale: { _, _, _ in },
      name: { context, _, name in object(WaylandOutput.self, context)?.take(name: name) },
      description: { _, _, _ in }))

  private static let extentListener = pinned(
    zxdg_output_v1_listener(
      logical_position: { _, _, _, _ in },
      logical_size: { context, _, width, height in
        object(WaylandOutput.self, context)?.picture = PictureSize(width: width, height: height)
      },
      done: { _, _ in },
      // Compositors with a wl_output before version 4 tell it here.
      name: { context, _, name in object(WaylandOutput.self, context)?.take(name: name) },
      description: { _, _, _ in }))
}
