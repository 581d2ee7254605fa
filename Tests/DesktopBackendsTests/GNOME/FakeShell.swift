// SPDX-License-Identifier: MIT

import PrivateBus
import System

/// A GNOME Shell with nothing but its version.
@MainActor final class FakeShell {
  private let bus: Bus
  private var exported: ExportedInterface?

  convenience init(_ version: String, on privateBus: PrivateBus) throws {
    try self.init(version, over: privateBus.connect())
  }

  init(_ version: String, over bus: Bus) throws {
    self.bus = bus
    exported = try bus.export(
      BusInterface(
        name: "org.gnome.Shell", properties: [("ShellVersion", "s", { .string(version) })]),
      at: "/org/gnome/Shell")
    _ = try bus.requestName("org.gnome.Shell")
  }
}
