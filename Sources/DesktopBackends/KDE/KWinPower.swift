// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols

/// Which outputs have their power off, by org_kde_kwin_dpms, the only interface where KWin reports it. Such an output
/// keeps its place in the layout.
final class KWinPower {
  private let manager: OpaquePointer
  private let outputs: WaylandOutputs
  private var switches: [UInt32: KWinPowerSwitch] = [:]

  /// The state is known after a round trip.
  /// - Returns: `nil` where KWin does not offer it.
  init?(_ connection: WaylandConnection) {
    guard let manager = connection.registry.bind(cwl_org_kde_kwin_dpms_manager(), upTo: 1) else { return nil }
    self.manager = manager
    outputs = WaylandOutputs(connection)
    refresh()
  }

  isolated deinit {
    switches = [:]
    org_kde_kwin_dpms_manager_destroy(manager)
  }

  /// Follows hotplug events; called after each batch of events.
  func refresh() {
    let found = outputs.outputs
    switches = switches.filter { number, _ in found.contains { $0.global == number } }
    for output in found where switches[output.global] == nil {
      switches[output.global] = org_kde_kwin_dpms_manager_get(manager, output.proxy).map(KWinPowerSwitch.init)
    }
  }

  func isOff(_ name: String) -> Bool {
    outputs[name].flatMap { switches[$0.global] }?.isOff ?? false
  }
}

/// The power of one output.
private final class KWinPowerSwitch: WaylandListener {
  var isOff: Bool { isSupported && mode != ORG_KDE_KWIN_DPMS_MODE_ON.rawValue }
  private var isSupported = false
  private var mode = ORG_KDE_KWIN_DPMS_MODE_ON.rawValue
  private let proxy: OpaquePointer

  /// - Parameter proxy: an `org_kde_kwin_dpms`, owned by this object from now on.
  init(_ proxy: OpaquePointer) {
    self.proxy = proxy
    org_kde_kwin_dpms_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    org_kde_kwin_dpms_release(proxy)
  }

  private static let listener = pinned { (listener: inout org_kde_kwin_dpms_listener) in
    listener.supported = { context, _, flag in KWinPowerSwitch.at(context)?.isSupported = flag != 0 }
    listener.mode = { context, _, mode in KWinPowerSwitch.at(context)?.mode = mode }
  }
}
