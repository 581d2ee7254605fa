// SPDX-License-Identifier: MIT

import PrivateBus
import System

@testable import DesktopBackends

/// The service that stores GNOME's settings, reduced to its change signal.
@MainActor final class FakeDConf {
  private let bus: Bus
  private var exported: ExportedInterface?

  init(on privateBus: PrivateBus) throws {
    bus = try privateBus.connect()
    let signal: BusSignal = (
      "Notify", [.init("prefix", "s"), .init("changes", "as"), .init("tag", "s")]
    )
    exported = try bus.export(
      BusInterface(name: "ca.desrt.dconf.Writer", signals: [signal]), at: "/ca/desrt/dconf/Writer/user")
    _ = try bus.requestName("ca.desrt.dconf")
  }

  func emitChange(of schema: String = MutterDesktop.gnome.lockSchema) throws {
    try exported?.emit(
      "Notify",
      [
        .string("/" + schema.replacing(".", with: "/") + "/orientation-lock"), .array(of: "s", [.string("")]),
        .string(":1.5:1"),
      ])
  }
}
