// SPDX-License-Identifier: MIT

import PrivateBus
import System

/// A GNOME Shell that says its version, and nothing else.
@MainActor final class FakeShell {
  private let bus: Bus
  private var exported: ExportedInterface?

  init(_ version: String, on privateBus: PrivateBus) throws {
    bus = try privateBus.connect()
    exported = try bus.export(
      BusInterface(
        name: "org.gnome.Shell", properties: [BusProperty("ShellVersion", "s") { .string(version) }]),
      at: "/org/gnome/Shell")
    _ = try bus.requestName("org.gnome.Shell")
  }
}
