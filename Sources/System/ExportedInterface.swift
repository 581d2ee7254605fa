// SPDX-License-Identifier: MIT

import CSystemd

extension Bus {
  /// Offers `interface` at `path`, until the result is let go. Introspection and
  /// `org.freedesktop.DBus.Properties` come with it.
  package func export(_ interface: BusInterface, at path: String) throws(BusError) -> ExportedInterface {
    try ExportedInterface(interface, at: path, on: self)
  }
}

/// An interface that others on the bus can call.
package final class ExportedInterface {
  private let bus: Bus
  private let path: String
  private let name: String
  private let subscription: Subscription

  fileprivate init(_ interface: BusInterface, at path: String, on bus: Bus) throws(BusError) {
    let table = InterfaceTable(interface)
    let slot = try SlotContext.bind(table, "offering \(interface.name) at \(path)") { slot, context in
      sd_bus_add_object_vtable(bus.pointer, &slot, path, interface.name, table.entries, context)
    }
    self.bus = bus
    self.path = path
    name = interface.name
    subscription = Subscription([slot])
  }

  package func emit(_ signal: String, _ arguments: [Value] = []) throws(BusError) {
    let message = try BusMessage("emitting \(signal)", arguments: arguments) { message in
      sd_bus_message_new_signal(bus.pointer, &message, path, name, signal)
    }
    try bus.send(message, "emitting \(signal)")
  }

  /// Tells the new values of these properties to everybody who watches.
  package func emitPropertiesChanged(_ properties: [String]) throws(BusError) {
    guard !properties.isEmpty else { return }
    let code = withCStrings(properties) {
      sd_bus_emit_properties_changed_strv(bus.pointer, path, name, $0)
    }
    try BusError.check(code, "emitting PropertiesChanged")
  }
}
