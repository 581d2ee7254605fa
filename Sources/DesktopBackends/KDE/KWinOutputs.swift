// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import CWaylandProtocols

/// All outputs of KWin, and changes to them.
///
/// This is kde_output_management_v2, which KWin offers to every client and KScreen itself uses. The alternative,
/// KScreen's backend over D-Bus, is a further process of some 30 MB that has to be started, and answers ten times as
/// late. KDE calls the protocol an implementation detail that may change; the requests used here (transform,
/// position, apply) have been the same since Plasma 5.24. Only the listing of outputs has changed: up to Plasma 6.6
/// each is a global, after that there is a registry.
final class KWinOutputs: WaylandListener {
  let connection: WaylandConnection
  private let management: OpaquePointer
  private var outputs: [KWinOutput] = []
  private var registry: OpaquePointer?
  private(set) var hotplugCount = 0

  /// failure_reason is the newest feature in use.
  private static let managementVersion = UInt32(KDE_OUTPUT_CONFIGURATION_V2_FAILURE_REASON_SINCE_VERSION)

  /// Waits until KWin has described all its outputs.
  init(_ connection: WaylandConnection) throws(Message) {
    self.connection = connection
    let globals = connection.registry
    guard let management = globals.bind(cwl_kde_output_management_v2(), upTo: Self.managementVersion) else {
      throw .compositor(on: connection.path, lacks: "kde_output_management_v2 (KWin)")
    }
    self.management = management
    globals.watch(added: { [weak self] in self?.add($0) }, removed: { [weak self] in self?.remove($0) })
    if outputs.isEmpty,
      let proxy = globals.bind(cwl_kde_output_device_registry_v2(), upTo: KWinOutput.version)
    {
      registry = proxy
      kde_output_device_registry_v2_add_listener(proxy, Self.listener, context)
    }
    // The first round trip brings the registry's outputs, the second their properties.
    for _ in 0..<(registry == nil ? 1 : 2) { try connection.firstRoundTrip() }
  }

  isolated deinit {
    outputs = []
    if let registry { kde_output_device_registry_v2_destroy(registry) }
    kde_output_management_v2_destroy(management)
  }

  /// Those that KWin has described, in its own order.
  var states: [KWinOutputState] { outputs.compactMap(\.state) }

  var canSetPolicy: Bool {
    kde_output_management_v2_get_version(management)
      >= UInt32(KDE_OUTPUT_CONFIGURATION_V2_SET_AUTO_ROTATE_POLICY_SINCE_VERSION)
  }

  subscript(name: String) -> KWinOutput? { outputs.first { $0.state?.name == name } }

  /// To be called after each batch of events.
  func forgetRemoved() {
    let count = outputs.count
    outputs.removeAll(where: \.isRemoved)
    if outputs.count != count { hotplugCount += 1 }
  }

  /// - Parameter ended: called once, when KWin has answered.
  func configuration(ended: @escaping (KWinConfiguration.Answer) -> Void) -> KWinConfiguration? {
    kde_output_management_v2_create_configuration(management).map {
      KWinConfiguration($0, on: connection, ended: ended)
    }
  }

  private func add(_ global: WaylandRegistry.Global) {
    guard global.interface == "kde_output_device_v2",
      let proxy = connection.registry.bind(global, cwl_kde_output_device_v2(), upTo: KWinOutput.version)
    else { return }
    append(KWinOutput(proxy, global: global.name))
  }

  private func append(_ output: KWinOutput) {
    outputs.append(output)
    hotplugCount += 1
  }

  private func remove(_ global: WaylandRegistry.Global) {
    outputs.removeAll { $0.global == global.name }
    hotplugCount += 1
  }

  private static let listener = pinned { (listener: inout kde_output_device_registry_v2_listener) in
    listener.output = { context, _, proxy in
      guard let proxy else { return }
      KWinOutputs.at(context)?.append(KWinOutput(proxy))
    }
  }
}

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

  private static let listener = pinned { (listener: inout kde_output_configuration_v2_listener) in
    listener.applied = { context, _ in KWinConfiguration.at(context)?.ended(.applied) }
    listener.failed = { context, _ in
      guard let configuration = KWinConfiguration.at(context) else { return }
      configuration.ended(.failed(reason: configuration.reason))
    }
    listener.failure_reason = { context, _, reason in
      KWinConfiguration.at(context)?.reason = reason.map { String(cString: $0) }
    }
  }
}
