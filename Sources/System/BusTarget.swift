// SPDX-License-Identifier: MIT

/// One interface of one object of one service: where a call goes.
nonisolated package struct BusTarget: Equatable, Sendable {
  package var service: String
  package var path: String
  package var interface: String

  package init(service: String, path: String, interface: String) {
    self.service = service
    self.path = path
    self.interface = interface
  }

  /// The same object's `Get`, `GetAll`, `Set` and `PropertiesChanged`.
  package var properties: BusTarget {
    BusTarget(service: service, path: path, interface: "org.freedesktop.DBus.Properties")
  }

  /// The bus itself.
  package static let driver = BusTarget(
    service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
}
