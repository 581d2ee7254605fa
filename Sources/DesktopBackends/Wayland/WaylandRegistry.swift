// SPDX-License-Identifier: MIT

import CWayland
// Both modules contain wl_interface; which of them Swift finds it in depends on the build.
import CWaylandProtocols

/// The current globals of a compositor.
final class WaylandRegistry: WaylandListener {
  struct Global: Equatable {
    /// The compositor's number for it.
    var name: UInt32
    /// "wl_output"
    var interface: String
    var version: UInt32
  }

  private(set) var globals: [Global] = []
  private var watchers: [(added: (Global) -> Void, removed: (Global) -> Void)] = []
  private let proxy: OpaquePointer

  /// - Parameter display: a `wl_display`, which must live longer.
  init?(_ display: OpaquePointer) {
    guard let proxy = wl_display_get_registry(display) else { return nil }
    self.proxy = proxy
    wl_registry_add_listener(proxy, Self.listener, context)
  }

  /// Must be called before the display is disconnected, and last.
  func destroy() {
    wl_registry_destroy(proxy)
  }

  subscript(interface: String) -> Global? { globals.first { $0.interface == interface } }

  /// Calls `added` for each existing global, and both from now on.
  func watch(added: @escaping (Global) -> Void, removed: @escaping (Global) -> Void) {
    globals.forEach(added)
    watchers.append((added, removed))
  }

  /// Binds the first global of an interface.
  /// - Parameters:
  ///   - interface: by one of the `cwl_…` functions of `CWayland` and `CWaylandProtocols`.
  ///   - version: the newest supported version.
  /// - Returns: the proxy, owned by the caller; `nil` if there is no such global.
  func bind(_ interface: UnsafePointer<wl_interface>, upTo version: UInt32) -> OpaquePointer? {
    self[String(cString: interface.pointee.name)].flatMap { bind($0, interface, upTo: version) }
  }

  func bind(
    _ global: Global, _ interface: UnsafePointer<wl_interface>, upTo version: UInt32
  ) -> OpaquePointer? {
    wl_registry_bind(proxy, global.name, interface, min(version, global.version)).map { OpaquePointer($0) }
  }

  private func add(_ global: Global) {
    globals.append(global)
    for watcher in watchers { watcher.added(global) }
  }

  private func remove(_ name: UInt32) {
    guard let index = globals.firstIndex(where: { $0.name == name }) else { return }
    let global = globals.remove(at: index)
    for watcher in watchers { watcher.removed(global) }
  }

  private static let listener = pinned { (listener: inout wl_registry_listener) in
    listener.global = { context, _, name, interface, version in
      guard let interface else { return }
      let global = Global(name: name, interface: String(cString: interface), version: version)
      WaylandRegistry.at(context)?.add(global)
    }
    listener.global_remove = { context, _, name in WaylandRegistry.at(context)?.remove(name) }
  }
}
