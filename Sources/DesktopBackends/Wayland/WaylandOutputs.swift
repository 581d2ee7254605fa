// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols
import System

/// The outputs as every client sees them, for their names, exact logical sizes and power.
final class WaylandOutputs {
  private let connection: WaylandConnection
  private let extents: OpaquePointer?
  private let powers: OpaquePointer?
  private let watchesPower: Bool
  private(set) var outputs: [WaylandOutput] = []

  /// - Parameter watchesPower: whether to keep the power objects for their events, if the compositor allows several
  ///   clients to; otherwise the power is read when needed.
  init(_ connection: WaylandConnection, watchesPower: Bool = false) {
    self.connection = connection
    self.watchesPower = watchesPower
    extents = connection.registry.bind(cwl_zxdg_output_manager_v1(), upTo: 3)
    powers = connection.registry.bind(cwl_zwlr_output_power_manager_v1(), upTo: 1)
    connection.registry.watch(
      added: { [weak self] in self?.add($0) },
      removed: { [weak self] global in self?.outputs.removeAll { $0.global == global.name } })
  }

  isolated deinit {
    outputs = []
    if let extents { zxdg_output_manager_v1_destroy(extents) }
    if let powers { zwlr_output_power_manager_v1_destroy(powers) }
  }

  subscript(name: String) -> WaylandOutput? { outputs.first { $0.name == name } }

  subscript(global number: UInt32) -> WaylandOutput? { outputs.first { $0.global == number } }

  /// The registry's number of one of these `wl_output`s. Unlike the proxy, it is never used again.
  func global(of proxy: OpaquePointer?) -> UInt32? { outputs.first { $0.proxy == proxy }?.global }

  /// Whether the compositor reports the power of each output.
  var reportPower: Bool { !outputs.isEmpty && outputs.allSatisfy(\.reportsPower) }

  /// Requests an output's power; the answer has come after a round trip.
  /// - Returns: whether there will be an answer.
  @discardableResult
  func askPower(of output: WaylandOutput) -> Bool {
    powers.map(output.askPower) ?? false
  }

  func askPower() {
    for output in outputs { askPower(of: output) }
  }

  private func add(_ global: WaylandRegistry.Global) {
    guard global.interface == "wl_output",
      let proxy = connection.registry.bind(global, cwl_wl_output(), upTo: 4)
    else { return }
    let output = WaylandOutput(proxy, global: global.name, extents: extents)
    outputs.append(output)
    if watchesPower, let powers { output.watchPower(with: powers) }
    output.changed = { [weak self, weak output] in
      if let output, !output.hasPower, !output.isPowerWatched { self?.askPower(of: output) }
    }
  }
}

/// One `wl_output`.
final class WaylandOutput: WaylandListener {
  let proxy: OpaquePointer
  let global: UInt32
  private let extent: OpaquePointer?
  /// Set while the power is requested or watched.
  private var power: OpaquePointer?
  /// Set while it is not known whether the compositor allows a second power object.
  private var second: OpaquePointer?
  /// Whether `power` is kept for its events.
  fileprivate private(set) var isPowerWatched = false
  fileprivate var changed: () -> Void = {}
  /// The connector's name; `nil` before the compositor has sent it, or if it is too old to.
  private(set) var name: String?
  /// The size of the mode in pixels, before rotation.
  private(set) var mode: PixelSize?
  /// The size in the layout, in logical pixels, as rotated now.
  private(set) var logicalSize: PixelSize?
  /// Whether its power is on (DPMS, as set by swayidle and others), by the last answer.
  private(set) var hasPower = true

  fileprivate init(_ proxy: OpaquePointer, global: UInt32, extents: OpaquePointer?) {
    self.proxy = proxy
    self.global = global
    extent = extents.flatMap { zxdg_output_manager_v1_get_xdg_output($0, proxy) }
    wl_output_add_listener(proxy, Self.listener, context)
    if let extent { zxdg_output_v1_add_listener(extent, Self.extentListener, context) }
  }

  isolated deinit {
    if let extent { zxdg_output_v1_destroy(extent) }
    forgetPower()
    forgetSecond()
    if wl_output_get_version(proxy) >= 3 { wl_output_release(proxy) } else { wl_output_destroy(proxy) }
  }

  /// The object keeps other clients from switching the output's power. So it is destroyed at once; events sent before
  /// that still arrive.
  fileprivate func askPower(_ powers: OpaquePointer) -> Bool {
    guard power == nil else { return true }
    power = zwlr_output_power_manager_v1_get_output_power(powers, proxy)
    guard let power else { return false }
    zwlr_output_power_v1_add_listener(power, Self.powerListener, context)
    wl_proxy_marshal_array(power, UInt32(ZWLR_OUTPUT_POWER_V1_DESTROY), nil)
    return true
  }

  fileprivate var reportsPower: Bool { isPowerWatched && second == nil }

  /// Keeps the power object, unless that prevents other clients from switching the output: a second object is refused
  /// then, as in wlroots. Hyprland refuses none since 0.41, and sends events to all of them.
  fileprivate func watchPower(with powers: OpaquePointer) {
    power = zwlr_output_power_manager_v1_get_output_power(powers, proxy)
    second = zwlr_output_power_manager_v1_get_output_power(powers, proxy)
    isPowerWatched = true
    if let power { zwlr_output_power_v1_add_listener(power, Self.powerListener, context) }
    if let second { zwlr_output_power_v1_add_listener(second, Self.secondListener, context) }
  }

  private func update(secondIsRefused: Bool) {
    forgetSecond()
    if secondIsRefused { forgetPower() }
  }

  /// - Parameter isOn: `nil` if another client holds the object, and the power is unknown.
  private func update(power isOn: Bool?) {
    hasPower = isOn ?? true
    if !isPowerWatched || isOn == nil { forgetPower() }
  }

  private func forgetPower() {
    if let power { isPowerWatched ? zwlr_output_power_v1_destroy(power) : wl_proxy_destroy(power) }
    power = nil
    isPowerWatched = false
  }

  private func forgetSecond() {
    if let second { zwlr_output_power_v1_destroy(second) }
    second = nil
  }

  private func update(name: UnsafePointer<CChar>?) {
    self.name = name.map { String(cString: $0) }
  }

  private static let listener = pinned { (listener: inout wl_output_listener) in
    listener.mode = { context, _, flags, width, height, _ in
      guard flags & WL_OUTPUT_MODE_CURRENT.rawValue != 0 else { return }
      WaylandOutput.at(context)?.mode = PixelSize(width: width, height: height)
    }
    listener.done = { context, _ in WaylandOutput.at(context)?.changed() }
    listener.name = { context, _, name in WaylandOutput.at(context)?.update(name: name) }
  }

  private static let extentListener = pinned { (listener: inout zxdg_output_v1_listener) in
    listener.logical_size = { context, _, width, height in
      WaylandOutput.at(context)?.logicalSize = PixelSize(width: width, height: height)
    }
    // Compositors with a wl_output before version 4 send it here.
    listener.name = { context, _, name in WaylandOutput.at(context)?.update(name: name) }
  }

  private static let powerListener = pinned { (listener: inout zwlr_output_power_v1_listener) in
    listener.mode = { context, _, mode in
      WaylandOutput.at(context)?.update(power: mode != ZWLR_OUTPUT_POWER_V1_MODE_OFF.rawValue)
    }
    listener.failed = { context, _ in WaylandOutput.at(context)?.update(power: nil) }
  }

  private static let secondListener = pinned { (listener: inout zwlr_output_power_v1_listener) in
    listener.mode = { context, _, _ in WaylandOutput.at(context)?.update(secondIsRefused: false) }
    listener.failed = { context, _ in WaylandOutput.at(context)?.update(secondIsRefused: true) }
  }
}

/// Reports output changes where a compositor's own socket does not: sizes, places, transforms and power, as every
/// Wayland client receives them.
final class OutputWatch {
  /// Bound only for their events: Wayland sends none for globals that are not bound.
  private let outputs: WaylandOutputs
  let power: PowerWatch

  /// - Parameters:
  ///   - watchesPower: whether the compositor may report the power of outputs, if it lets several clients hold it.
  ///   - changed: called when something may have changed.
  init(
    _ connection: WaylandConnection, on loop: EventLoop, watchesPower: Bool = false,
    changed: @escaping () -> Void
  ) throws {
    outputs = WaylandOutputs(connection, watchesPower: watchesPower)
    power = try PowerWatch(connection, on: loop, check: changed)
    let afterEvents = { [weak self] in
      if let self { power.update(isReported: outputs.reportPower) }
      changed()
    }
    // The compositor's own socket ends with it and reports that.
    try connection.start(on: loop, afterEvents: afterEvents, gone: { _ in })
  }
}
