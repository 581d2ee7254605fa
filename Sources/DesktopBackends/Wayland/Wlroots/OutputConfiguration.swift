// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols

/// One attempt to apply another layout. The compositor answers once, or ends.
final class OutputConfiguration: WaylandListener {
  enum Answer: Equatable {
    case succeeded, failed
    /// The outputs have changed in the meantime.
    case cancelled
  }

  private let manager: OutputManager
  private let proxy: OpaquePointer
  private var answer: ((Answer) -> Void)?

  /// Sends it: all outputs, as the protocol requires, each enabled one with its position.
  ///
  /// labwc and dwl ignore a position that an output has already, and then place that output automatically, to the
  /// right of those whose position was set. So outputs that move come first: by the time that the others are read,
  /// they have been pushed aside, and return to their places.
  init?(_ manager: OutputManager, target: [CompositorOutput], answer: @escaping (Answer) -> Void) {
    guard let serial = manager.serial,
      let proxy = zwlr_output_manager_v1_create_configuration(manager.proxy, serial)
    else { return nil }
    self.manager = manager
    self.proxy = proxy
    self.answer = answer
    zwlr_output_configuration_v1_add_listener(proxy, Self.listener, context)
    let heads = manager.heads.filter { !$0.isFinished }.map { head in
      (head, target.first { $0.isSame(as: head.description) })
    }
    for (head, target) in heads where Self.moves(head, to: target) { add(head, target: target) }
    for (head, target) in heads where !Self.moves(head, to: target) { add(head, target: target) }
    zwlr_output_configuration_v1_apply(proxy)
  }

  isolated deinit {
    zwlr_output_configuration_v1_destroy(proxy)
  }

  private static func moves(_ head: OutputHead, to target: CompositorOutput?) -> Bool {
    target.map { !$0.isPlaced(like: head.description) } ?? false
  }

  private func add(_ head: OutputHead, target: CompositorOutput?) {
    let now = head.description
    guard now.isActive else { return zwlr_output_configuration_v1_disable_head(proxy, head.proxy) }
    guard let change = zwlr_output_configuration_v1_enable_head(proxy, head.proxy) else { return }
    if let target, !target.isRotated(like: now) {
      zwlr_output_configuration_head_v1_set_transform(change, Int32(target.transform))
    }
    if let place = target?.rectangle {
      zwlr_output_configuration_head_v1_set_position(
        change, Int32(clamping: place.x), Int32(clamping: place.y))
    }
    zwlr_output_configuration_head_v1_destroy(change)
  }

  private static let listener = pinned { (listener: inout zwlr_output_configuration_v1_listener) in
    listener.succeeded = { context, _ in OutputConfiguration.at(context)?.answer.take()?(.succeeded) }
    listener.failed = { context, _ in OutputConfiguration.at(context)?.answer.take()?(.failed) }
    listener.cancelled = { context, _ in OutputConfiguration.at(context)?.answer.take()?(.cancelled) }
  }
}
