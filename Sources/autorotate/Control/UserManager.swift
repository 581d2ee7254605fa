// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// systemd's user manager, over the session bus.
@MainActor struct UserManager {
  private static let service = "org.freedesktop.systemd1"

  let bus: Bus

  /// - Parameter unit: such as "graphical-session.target".
  func isActive(_ unit: String) -> Bool {
    property("ActiveState", of: "Unit", unit) == "active"
  }

  /// `nil` if the service does not run.
  func mainProcess(of unit: String) -> UInt32? {
    property("MainPID", of: "Service", unit).flatMap { $0 == 0 ? nil : $0 }
  }

  private func property<T: ReadableFromBus>(_ name: String, of kind: String, _ unit: String) -> T? {
    let target = BusTarget(
      service: Self.service, path: "/org/freedesktop/systemd1/unit/\(Self.escaped(unit))",
      interface: "org.freedesktop.systemd1.\(kind)")
    return try? bus.property(name, of: target)
  }

  /// The name escaped for an object path, as systemd does.
  private static func escaped(_ name: String) -> String {
    name.replacing("-", with: "_2d").replacing(".", with: "_2e")
  }

  nonisolated static func run(_ command: String) throws(Message) {
    guard system(command) == 0 else {
      throw Message(
        .commandFailed, "`\(command)` failed", next: "see: systemctl --user status autorotate")
    }
  }
}
