// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// A connection to a message bus.
///
/// A bus that ends stays ended: `onClosed` is called once, calls fail with an error, and whoever
/// wants to go on makes a new `Bus`.
package final class Bus {
  package enum Kind: Sendable {
    /// The person's: `DBUS_SESSION_BUS_ADDRESS`, or else the socket `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// The machine's: `DBUS_SYSTEM_BUS_ADDRESS`, or else the usual socket.
    case system
    /// Any other, by its D-Bus address ("unix:path=/run/other").
    case at(address: String)
  }

  let pointer: OpaquePointer
  private var loop: EventLoop?
  private var disconnection: Subscription?

  /// Called once, from the loop, when the bus has ended by itself; never after `close()`.
  package var onClosed: (() -> Void)?

  /// Connects. The handshake goes on by itself; what is sent before its end waits for it.
  package init(_ kind: Kind) throws(BusError) {
    var bus: OpaquePointer?
    let code = Self.open(kind, &bus)
    guard code >= 0, let bus else {
      sd_bus_unref(bus)
      throw BusError(BusError.noServer, Self.absence(of: kind, code))
    }
    pointer = bus
  }

  isolated deinit {
    close()
    sd_bus_unref(pointer)
  }

  /// Lets `loop` handle what comes in.
  package func attach(to loop: EventLoop) throws(BusError) {
    let code = sd_bus_attach_event(pointer, loop.event, Int32(SD_EVENT_PRIORITY_NORMAL))
    try BusError.check(code, "sd_bus_attach_event")
    self.loop = loop
    disconnection = try match(.disconnected) { [weak self] _ in
      self?.onClosed?()
      self?.onClosed = nil
    }
  }

  package var isOpen: Bool { sd_bus_is_open(pointer) > 0 }

  /// Ends the connection: names and exported objects go, callbacks no longer come.
  package func close() {
    onClosed = nil
    disconnection = nil
    if loop != nil { sd_bus_detach_event(pointer) }
    loop = nil
    sd_bus_close(pointer)
  }

  private static func open(_ kind: Kind, _ bus: inout OpaquePointer?) -> Int32 {
    switch kind {
    case .session: return sd_bus_open_user(&bus)
    case .system: return sd_bus_open_system(&bus)
    case .at(let address):
      let made = sd_bus_new(&bus)
      guard made >= 0 else { return made }
      let addressed = sd_bus_set_address(bus, address)
      guard addressed >= 0 else { return addressed }
      sd_bus_set_bus_client(bus, 1)
      return sd_bus_start(bus)
    }
  }

  private static func absence(of kind: Kind, _ code: Int32) -> String {
    let bus =
      switch kind {
      case .session: "the session bus"
      case .system: "the system bus"
      case .at(let address): "the bus at \(address)"
      }
    return abs(code) == ENOMEDIUM
      ? "\(bus) has no address" : "\(bus) does not answer: \(String(cString: strerror(abs(code))))"
  }
}

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
