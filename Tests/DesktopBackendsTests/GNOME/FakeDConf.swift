// SPDX-License-Identifier: MIT

import PrivateBus
import System

/// The service that keeps GNOME's settings, as far as it tells of changes.
@MainActor final class FakeDConf {
  private let bus: Bus
  private var exported: ExportedInterface?

  init(on privateBus: PrivateBus) throws {
    bus = try privateBus.connect()
    let signal = BusSignal(
      "Notify", carries: [BusArgument("prefix", "s"), BusArgument("changes", "as"), BusArgument("tag", "s")])
    exported = try bus.export(
      BusInterface(name: "ca.desrt.dconf.Writer", signals: [signal]), at: "/ca/desrt/dconf/Writer/user")
    _ = try bus.requestName("ca.desrt.dconf")
  }

  func tellChange() throws {
    try exported?.emit(
      "Notify",
      [
        .string("/org/gnome/settings-daemon/peripherals/touchscreen/orientation-lock"),
        .array(of: "s", [.string("")]), .string(":1.5:1"),
      ])
  }
}
