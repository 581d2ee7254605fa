// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols

/// wlr-output-management, versions 1 to 4: all outputs, and changes to them.
final class OutputManager: WaylandListener {
  let proxy: OpaquePointer
  private(set) var heads: [OutputHead] = []
  /// The outputs as of the compositor's last `done`.
  private var layout: [CompositorOutput] = []
  /// The serial of that `done`; `nil` before the first.
  private(set) var serial: UInt32?
  /// Whether the compositor has withdrawn the interface.
  private(set) var isFinished = false
  private let connection: WaylandConnection
  private let sizes: WaylandOutputs
  private var lastNumber = 0

  /// - Returns: `nil` if the compositor does not offer it.
  init?(_ connection: WaylandConnection, sizes: WaylandOutputs) {
    guard let proxy = connection.registry.bind(cwl_zwlr_output_manager_v1(), upTo: 4) else { return nil }
    self.proxy = proxy
    self.connection = connection
    self.sizes = sizes
    zwlr_output_manager_v1_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    heads = []
    zwlr_output_manager_v1_destroy(proxy)
  }

  /// The outputs, with the sizes and power from their `wl_output`, which arrive in no fixed order with the rest.
  var outputs: [CompositorOutput] {
    layout.map { head in
      var measured = head
      let output = sizes[head.name]
      // Custom modes are not among the modes that an output offers.
      if head.width == 0 { measured.size = output?.mode }
      measured.hasPower = output?.hasPower ?? true
      measured.resize(reported: output?.logicalSize)
      return measured
    }
  }

  private func add(_ head: OpaquePointer) {
    lastNumber += 1
    heads.append(OutputHead(head, number: lastNumber))
  }

  private func done(_ serial: UInt32) {
    heads.removeAll(where: \.isFinished)
    for head in heads { head.updateModes() }
    layout = heads.map(\.description)
    self.serial = serial
  }

  private static let listener = pinned { (listener: inout zwlr_output_manager_v1_listener) in
    listener.head = { context, _, head in
      if let head { OutputManager.at(context)?.add(head) }
    }
    listener.done = { context, _, serial in OutputManager.at(context)?.done(serial) }
    listener.finished = { context, _ in OutputManager.at(context)?.isFinished = true }
  }
}

/// One output of wlr-output-management: collects its events.
final class OutputHead: WaylandListener {
  let proxy: OpaquePointer
  /// Its number is autorotate's own; its size in the layout is not known here.
  private(set) var description: CompositorOutput
  private(set) var isFinished = false
  private var modes: [OutputMode] = []
  private var current: OpaquePointer?

  init(_ proxy: OpaquePointer, number: Int) {
    self.proxy = proxy
    description = CompositorOutput(number: number, isActive: false)
    zwlr_output_head_v1_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    modes = []
    let canRelease = zwlr_output_head_v1_get_version(proxy) >= 3
    canRelease ? zwlr_output_head_v1_release(proxy) : zwlr_output_head_v1_destroy(proxy)
  }

  /// Removes finished modes, and updates the current one.
  func updateModes() {
    // The next mode may get the same address.
    if modes.contains(where: { $0.isFinished && $0.proxy == current }) { current = nil }
    modes.removeAll(where: \.isFinished)
    description.size = modes.first { $0.proxy == current }?.size
  }

  private func add(mode: OpaquePointer?) {
    mode.map { modes.append(OutputMode($0)) }
  }

  private static let listener = pinned { (listener: inout zwlr_output_head_v1_listener) in
    listener.name = { context, _, name in
      OutputHead.at(context)?.description.name = name.map { String(cString: $0) } ?? ""
    }
    listener.mode = { context, _, mode in OutputHead.at(context)?.add(mode: mode) }
    listener.enabled = { context, _, enabled in OutputHead.at(context)?.description.isActive = enabled != 0 }
    listener.current_mode = { context, _, mode in OutputHead.at(context)?.current = mode }
    listener.position = { context, _, x, y in
      OutputHead.at(context)?.description.rectangle.x = Int(x)
      OutputHead.at(context)?.description.rectangle.y = Int(y)
    }
    listener.transform = { context, _, transform in
      OutputHead.at(context)?.description.transform = Int(transform)
    }
    listener.scale = { context, _, scale in
      OutputHead.at(context)?.description.scale = wl_fixed_to_double(scale)
    }
    listener.finished = { context, _ in OutputHead.at(context)?.isFinished = true }
  }
}

/// A mode that an output offers.
private final class OutputMode: WaylandListener {
  let proxy: OpaquePointer
  private(set) var size: PixelSize?
  private(set) var isFinished = false

  init(_ proxy: OpaquePointer) {
    self.proxy = proxy
    zwlr_output_mode_v1_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    let canRelease = zwlr_output_mode_v1_get_version(proxy) >= 3
    canRelease ? zwlr_output_mode_v1_release(proxy) : zwlr_output_mode_v1_destroy(proxy)
  }

  private static let listener = pinned { (listener: inout zwlr_output_mode_v1_listener) in
    listener.size = { context, _, width, height in
      OutputMode.at(context)?.size = PixelSize(width: width, height: height)
    }
    listener.finished = { context, _ in OutputMode.at(context)?.isFinished = true }
  }
}
