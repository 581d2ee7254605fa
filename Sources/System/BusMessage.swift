// SPDX-License-Identifier: MIT

import CSystemd

/// A received message, or one that is being built.
package final class BusMessage {
  let pointer: OpaquePointer

  /// Retains a message of sd-bus.
  init(keeping pointer: OpaquePointer) {
    sd_bus_message_ref(pointer)
    self.pointer = pointer
  }

  /// Takes ownership of a message that one of sd-bus's `new` functions returns.
  init(_ action: String, arguments: [Value], _ make: (inout OpaquePointer?) -> Int32) throws(BusError) {
    var message: OpaquePointer?
    try BusError.check(make(&message), action)
    guard let message else { throw BusError(BusError.failed, action) }
    pointer = message
    try MessageWriter(message: message).append(arguments)
  }

  isolated deinit {
    sd_bus_message_unref(pointer)
  }

  /// The unique name of the sender; `nil` on a connection without a bus.
  package var sender: String? { text(sd_bus_message_get_sender(pointer)) }
  package var member: String? { text(sd_bus_message_get_member(pointer)) }

  /// All values in it.
  package func arguments() throws(BusError) -> [Value] { try arguments(upTo: .trusted) }

  func arguments(upTo limit: MessageLimit) throws(BusError) -> [Value] {
    var reader = MessageReader(message: pointer, limit: limit, remaining: limit)
    return try reader.readAll()
  }

  /// The error, if this is an error reply.
  var error: BusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0,
      let error = sd_bus_message_get_error(pointer)
    else { return nil }
    return BusError(error.pointee)
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

extension BusError {
  init(_ error: sd_bus_error) {
    self.init(
      error.name.map { String(cString: $0) } ?? Self.failed, error.message.map { String(cString: $0) } ?? "")
  }

  /// The name, if it is valid in D-Bus, or else a generic one.
  var validName: String { sd_bus_interface_name_is_valid(name) > 0 ? name : Self.failed }
}
