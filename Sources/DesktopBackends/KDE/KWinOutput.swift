// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import CWaylandProtocols

/// One output of KWin: a `kde_output_device_v2`.
final class KWinOutput: WaylandListener {
  let proxy: OpaquePointer
  /// The number of its global; `nil` where outputs come from a registry instead.
  let global: UInt32?
  /// As of KWin's last `done` event; `nil` before the first.
  private(set) var state: KWinOutputState?
  private(set) var isRemoved = false

  private var pending = KWinOutputState()
  private var isEnabled = false
  private var modes: [KWinMode] = []
  private var current: KWinMode?

  /// KWin 6.7's registry requires this version or a newer one; later additions are not needed.
  static let version: UInt32 = 21

  /// - Parameter proxy: owned by this object from now on.
  init(_ proxy: OpaquePointer, global: UInt32? = nil) {
    self.proxy = proxy
    self.global = global
    kde_output_device_v2_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    modes = []
    current = nil
    let releasable = UInt32(KDE_OUTPUT_DEVICE_V2_RELEASE_SINCE_VERSION)
    let canRelease = kde_output_device_v2_get_version(proxy) >= releasable
    canRelease ? kde_output_device_v2_release(proxy) : kde_output_device_v2_destroy(proxy)
  }

  private func finish() {
    modes.removeAll { $0.isRemoved && $0 !== current }
    // Only an active output has a current mode.
    pending.finish(isEnabled: isEnabled, mode: current?.size)
    state = pending
  }

  private func add(_ mode: OpaquePointer?) {
    if let mode { modes.append(KWinMode(mode)) }
  }

  private func choose(_ mode: OpaquePointer?) {
    current = modes.first { $0.proxy == mode }
  }

  private func resize(_ factor: wl_fixed_t) {
    let scale = wl_fixed_to_double(factor)
    if KWinOutputState.isScale(scale) { pending.laid.scale = scale }
  }

  private static let listener = pinned { (listener: inout kde_output_device_v2_listener) in
    listener.geometry = { context, _, x, y, _, _, _, _, _, transform in
      KWinOutput.at(context)?.pending.laid.rectangle.x = Int(x)
      KWinOutput.at(context)?.pending.laid.rectangle.y = Int(y)
      KWinOutput.at(context)?.pending.laid.transform = Int(transform)
    }
    listener.current_mode = { context, _, mode in KWinOutput.at(context)?.choose(mode) }
    listener.mode = { context, _, mode in KWinOutput.at(context)?.add(mode) }
    listener.done = { context, _ in KWinOutput.at(context)?.finish() }
    listener.scale = { context, _, factor in KWinOutput.at(context)?.resize(factor) }
    listener.enabled = { context, _, isEnabled in KWinOutput.at(context)?.isEnabled = isEnabled != 0 }
    listener.capabilities = { context, _, flags in
      KWinOutput.at(context)?.pending.capabilities = flags
    }
    listener.name = { context, _, name in
      KWinOutput.at(context)?.pending.laid.name = name.map { String(cString: $0) } ?? ""
    }
    listener.auto_rotate_policy = { context, _, policy in
      KWinOutput.at(context)?.pending.policy = KWinRotationPolicy(rawValue: policy)
    }
    listener.removed = { context, _ in KWinOutput.at(context)?.isRemoved = true }
  }
}

/// A mode that KWin offers for an output; its size in pixels.
final class KWinMode: WaylandListener {
  private(set) var size: PixelSize?
  private(set) var isRemoved = false
  let proxy: OpaquePointer

  /// - Parameter proxy: a `kde_output_device_mode_v2`, owned by this object from now on.
  init(_ proxy: OpaquePointer) {
    self.proxy = proxy
    kde_output_device_mode_v2_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    kde_output_device_mode_v2_destroy(proxy)
  }

  private static let listener = pinned { (listener: inout kde_output_device_mode_v2_listener) in
    listener.size = { context, _, width, height in
      KWinMode.at(context)?.size = PixelSize(width: width, height: height)
    }
    listener.removed = { context, _ in KWinMode.at(context)?.isRemoved = true }
  }
}

/// The state of one output, as KWin sends it.
struct KWinOutputState: Equatable, Sendable {
  var laid = CompositorOutput(isActive: false)
  var capabilities: UInt32 = 0
  /// `nil` before Plasma 6, where KWin itself does not rotate.
  var policy: KWinRotationPolicy?

  /// KWin sets it for every internal display, and for no other.
  private static let autoRotateCapability: UInt32 = 0x20

  var name: String { laid.name }

  var canAutoRotate: Bool { capabilities & Self.autoRotateCapability != 0 }

  var isBuiltIn: Bool { canAutoRotate || Output.isNamedLikePanel(name) }

  /// Sets what depends on several of KWin's events. The size in the layout is rounded as KWin does.
  /// - Parameter mode: in pixels; `nil` without one.
  mutating func finish(isEnabled: Bool, mode: PixelSize?) {
    laid.isActive = isEnabled && mode?.isPlausible == true
    laid.size = mode
    let sides = [laid.width, laid.height].map { Int((Double($0) / laid.scale).rounded()) }
    let isSideways = laid.rotation.swapsSides
    (laid.rectangle.width, laid.rectangle.height) = isSideways ? (sides[1], sides[0]) : (sides[0], sides[1])
  }

  /// KWin compensates for the panel's mounting itself, so the mount is none.
  var output: Output {
    var output = laid.output
    output.isBuiltIn = isBuiltIn
    return output
  }

  /// Whether a scale is plausible; KWin's own range is 0.5 to 3.
  static func isScale(_ scale: Double) -> Bool { scale > 0.05 && scale < 100 }
}

extension Array<KWinOutputState> {
  /// The output of touchscreens and pens.
  func panel(chosen: OutputChoice) -> KWinOutputState? {
    let name = map(\.output).panelName(chosen: chosen)
    return first { $0.name == name }
  }
}

extension LayoutChange {
  /// - Throws: why they cannot be rotated.
  init(
    _ rotations: [PanelRotation], among states: [KWinOutputState],
    visited: ArrangementHistory = ArrangementHistory()
  ) throws(Message) {
    try self.init(rotations, among: states.map(\.laid), visited: visited, keepingCornerOf: .origin) {
      .switchedOff(
        $0, next: "switch it on first, for instance with `kscreen-doctor output.\($0.asArgument).enable`")
    }
  }
}
