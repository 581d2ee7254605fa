// SPDX-License-Identifier: MIT

import CSystemd
import CSystemdShims

/// An interface in the form that sd-bus reads: entries and strings at fixed addresses.
final class InterfaceTable {
  let entries: UnsafeMutablePointer<sd_bus_vtable>
  private let texts: [UnsafeMutablePointer<CChar>]
  private let interface: BusInterface
  private var rateLimiter: CallRateLimiter?
  private weak var bus: Bus?
  /// Calls whose callers may have left the bus, by the number of the pending query.
  private var unchecked: [UInt64: MethodCall] = [:]
  private var lastQuery: UInt64 = 0

  init(_ interface: BusInterface, on bus: Bus) {
    self.bus = bus
    self.interface = interface
    rateLimiter = interface.callsPerSecond.map(CallRateLimiter.init)
    let table = Self.table(of: interface)
    entries = .allocate(capacity: table.entries.count)
    entries.initialize(from: table.entries, count: table.entries.count)
    texts = table.texts
  }

  /// The entries of an interface, and copies of its texts at fixed addresses, which the caller must deallocate.
  private static func table(
    of interface: BusInterface
  ) -> (entries: [sd_bus_vtable], texts: [UnsafeMutablePointer<CChar>]) {
    var texts: [UnsafeMutablePointer<CChar>] = []
    func pinned(_ text: String) -> UnsafePointer<CChar> {
      let copy = allocateCString(text)
      texts.append(copy)
      return UnsafePointer(copy)
    }
    var entries = [csd_vtable_start()]
    entries += interface.methods.map {
      csd_vtable_method(
        pinned($0.name), pinned($0.takes.signature), pinned($0.returns.signature),
        pinned(($0.takes + $0.returns).names), onCall)
    }
    entries += interface.properties.map { csd_vtable_property(pinned($0.name), pinned($0.type), onGet) }
    entries += interface.signals.map {
      csd_vtable_signal(pinned($0.name), pinned($0.carries.signature), pinned($0.carries.names))
    }
    return (entries + [csd_vtable_end()], texts)
  }

  isolated deinit {
    entries.deallocate()
    for text in texts { text.deallocate() }
  }

  private static let onCall: sd_bus_message_handler_t = { message, context, failure in
    guard let message else { return 0 }
    return result(1, failure) { () throws(BusError) in
      try callbackObject(InterfaceTable.self, at: context).check(MethodCall(BusMessage(keeping: message)))
    }
  }

  private static let onGet: sd_bus_property_get_t = { _, _, _, name, reply, context, failure in
    guard let name, let reply else { return 0 }
    return result(1, failure) { () throws(BusError) in
      try callbackObject(InterfaceTable.self, at: context).write(String(cString: name), to: reply)
    }
  }

  /// For each message of the connection, before it is handled: sd-bus answers readings of properties itself.
  fileprivate static let onMessage: sd_bus_message_handler_t = { message, context, failure in
    guard let message, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
    return result(0, failure) { () throws(BusError) in
      try callbackObject(InterfaceTable.self, at: context).count(BusMessage(keeping: message))
    }
  }

  /// - Parameter code: the result of `work` for sd-bus, if it throws no error.
  private static func result(
    _ code: Int32, _ failure: UnsafeMutablePointer<sd_bus_error>?, _ work: () throws(BusError) -> Void
  ) -> Int32 {
    do throws(BusError) {
      try work()
      return code
    } catch {
      return sd_bus_error_set(failure, error.validName, error.message)
    }
  }

  private func count(_ call: BusMessage) throws(BusError) {
    guard rateLimiter?.refuses(call.sender ?? "", at: EventLoop.now) == true else { return }
    throw BusError(BusError.limitsExceeded, "too many calls in a short time; call again in a second")
  }

  /// Answers a call, unless it may be old and its caller has left: that caller has reported a failure, so the call must
  /// not be executed. A caller that expects no reply may leave at once; its call is executed in order.
  private func check(_ call: MethodCall) throws(BusError) {
    guard let bus, let sender = call.sender, bus.mayDeliverOldCalls || !unchecked.isEmpty else {
      return answer(call)
    }
    lastQuery += 1
    let query = lastQuery
    try bus.checkConnection(sender) { [weak self] isConnected in
      guard let call = self?.unchecked.removeValue(forKey: query) else { return }
      if isConnected || !call.expectsReply { self?.answer(call) }
    }
    unchecked[query] = call
  }

  /// Answers through the call, also after an error of the handler, so that there is never a second answer.
  private func answer(_ call: MethodCall) {
    let start = ProcessorTime.now
    defer { rateLimiter?.charge(call.sender ?? "", work: ProcessorTime.now - start) }
    do {
      guard let method = interface.methods.first(where: { $0.name == call.member }) else {
        throw BusError(BusError.unknownMethod, "there is no such method")
      }
      for (argument, value) in zip(method.takes, call.arguments) { try argument.check(value) }
      if let values = try method.handler(call) { call.reply(try checked(values, method)) }
    } catch {
      call.fail(error as? BusError ?? BusError(BusError.failed, "\(error)"))
    }
  }

  private func checked(_ values: [Value], _ method: BusMethod) throws(BusError) -> [Value] {
    let type = values.map(\.typeSignature).joined()
    guard type == method.returns.signature else {
      throw BusError(BusError.failed, "\(method.name) would answer with a wrong type: \(type)")
    }
    return values
  }

  private func write(_ name: String, to reply: OpaquePointer) throws(BusError) {
    guard let property = interface.properties.first(where: { $0.name == name }) else {
      throw BusError(BusError.failed, "there is no such property")
    }
    let value = property.value()
    guard value.typeSignature == property.type else {
      throw BusError(BusError.failed, "\(name) has a value of a wrong type: \(value.typeSignature)")
    }
    try MessageWriter(message: reply).append([value])
  }
}

extension [BusArgument] {
  fileprivate var signature: String { map(\.type).joined() }

  /// Each name followed by a zero byte; the end of the C string follows.
  fileprivate var names: String { map { $0.name + "\0" }.joined() }
}

extension Bus {
  /// Exports `interface` at `path`, until the result is released. Introspection and
  /// `org.freedesktop.DBus.Properties` are included.
  package func export(_ interface: BusInterface, at path: String) throws(BusError) -> ExportedInterface {
    try ExportedInterface(interface, at: path, on: self)
  }
}

/// An interface that others on the bus can call.
package final class ExportedInterface {
  private let bus: Bus
  private let path: String
  private let name: String
  private var subscriptions: [Subscription]

  fileprivate init(_ interface: BusInterface, at path: String, on bus: Bus) throws(BusError) {
    let table = InterfaceTable(interface, on: bus)
    let object = try SlotContext.bind(table, "offering \(interface.name) at \(path)") { slot, context in
      sd_bus_add_object_vtable(bus.pointer, &slot, path, interface.name, table.entries, context)
    }
    subscriptions = [Subscription(object)]
    self.bus = bus
    self.path = path
    name = interface.name
    guard interface.callsPerSecond != nil else { return }
    let filter = try SlotContext.bind(table, "limiting calls") { slot, context in
      sd_bus_add_filter(bus.pointer, &slot, InterfaceTable.onMessage, context)
    }
    subscriptions.append(Subscription(filter))
  }

  package func emit(_ signal: String, _ arguments: [Value] = []) throws(BusError) {
    let message = try BusMessage("emitting \(signal)", arguments: arguments) { message in
      sd_bus_message_new_signal(bus.pointer, &message, path, name, signal)
    }
    try bus.send(message, "emitting \(signal)")
  }

  /// Sends the new values of these properties to all subscribers.
  package func emitPropertiesChanged(_ properties: [String]) throws(BusError) {
    guard !properties.isEmpty else { return }
    let code = withCStrings(properties) {
      sd_bus_emit_properties_changed_strv(bus.pointer, path, name, $0)
    }
    try BusError.check(code, "emitting PropertiesChanged")
  }
}
