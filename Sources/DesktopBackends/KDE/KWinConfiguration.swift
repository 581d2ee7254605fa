// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import CWaylandProtocols

/// A set of changes that KWin applies completely or not at all.
final class KWinConfiguration: WaylandListener {
  enum Answer: Equatable, Sendable {
    case applied
    /// KWin gives the reason since Plasma 6.3.
    case failed(reason: String?)
  }

  private let proxy: OpaquePointer
  /// The proxy must not outlive it.
  private let connection: WaylandConnection
  private let ended: (Answer) -> Void
  private var reason: String?

  /// - Parameter proxy: a `kde_output_configuration_v2`, owned by this object from now on.
  init(_ proxy: OpaquePointer, on connection: WaylandConnection, ended: @escaping (Answer) -> Void) {
    self.proxy = proxy
    self.connection = connection
    self.ended = ended
    kde_output_configuration_v2_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    kde_output_configuration_v2_destroy(proxy)
  }

  /// - Parameter transform: 0...7 as in wl_output.
  func transform(_ output: KWinOutput, to transform: Int32) {
    kde_output_configuration_v2_transform(proxy, output.proxy, transform)
  }

  /// - Parameters: in logical pixels.
  func move(_ output: KWinOutput, x: Int, y: Int) {
    kde_output_configuration_v2_position(proxy, output.proxy, Int32(clamping: x), Int32(clamping: y))
  }

  /// Only where `KWinOutputs.canSetPolicy`.
  func set(_ policy: KWinRotationPolicy, of output: KWinOutput) {
    kde_output_configuration_v2_set_auto_rotate_policy(proxy, output.proxy, policy.rawValue)
  }

  /// Must be called only once.
  func apply() {
    kde_output_configuration_v2_apply(proxy)
  }

  private static let listener = pinned(
    kde_output_configuration_v2_listener(
      applied: { context, _ in KWinConfiguration.at(context)?.ended(.applied) },
      failed: { context, _ in
        guard let configuration = KWinConfiguration.at(context) else { return }
        configuration.ended(.failed(reason: configuration.reason))
      },
      failure_reason: { context, _, reason in
        KWinConfiguration.at(context)?.reason = reason.map { String(cString: $0) }
      }))
}
