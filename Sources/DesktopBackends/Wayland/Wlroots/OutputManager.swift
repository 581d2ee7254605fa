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
    for head in heads { head.destroy() }
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
    for head in heads where head.isFinished { head.destroy() }
    heads.removeAll(where: \.isFinished)
    for head in heads { head.updateModes() }
    layout = heads.map(\.description)
    self.serial = serial
  }

  private static let listener = pinned(
    zwlr_output_manager_v1_listener(
      head: { context, _, head in
        if let head { OutputManager.at(context)?.add(head) }
      },
      done: { context, _, serial in OutputManager.at(context)?.done(serial) },
      finished: { context, _ in OutputManager.at(context)?.isFinished = true }))
}
