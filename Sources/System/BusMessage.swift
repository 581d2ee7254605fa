// SPDX-License-Identifier: MIT

import CSystemd

/// A message: one that came in, or one that is being built.
package final class BusMessage {
  let pointer: OpaquePointer

  /// Keeps a message that sd-bus lends.
  init(keeping pointer: OpaquePointer) {
    sd_bus_message_ref(pointer)
    self.pointer = pointer
  }

  /// Takes over a message that one of sd-bus's `new` functions made.
  init(
    _ deed: String, arguments: [Value], _ make: (inout OpaquePointer?) -> Int32
  ) throws(BusError) {
    var message: OpaquePointer?
    try BusError.check(make(&message), deed)
    guard let message else { throw BusError(BusError.failed, deed) }
    pointer = message
    try MessageWriter(message: message).append(arguments)
  }

  isolated deinit {
    sd_bus_message_unref(pointer)
  }

  /// The unique name of who sent it; `nil` on a connection without a bus.
  package var sender: String? { text(sd_bus_message_get_sender(pointer)) }
  package var member: String? { text(sd_bus_message_get_member(pointer)) }

  /// All values it holds.
  package func arguments() throws(BusError) -> [Value] {
    try arguments(upTo: .news)
  }

  func arguments(upTo limit: MessageLimit) throws(BusError) -> [Value] {
    var reader = MessageReader(message: pointer, limit: limit)
    return try reader.readAll()
  }

  /// The error that it is, if it is one.
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
      error.name.map { String(cString: $0) } ?? Self.failed,
      error.message.map { String(cString: $0) } ?? "")
  }

  /// A name that sd-bus can send: its own, if it is one.
  var validName: String {
    sd_bus_interface_name_is_valid(name) > 0 ? name : Self.failed
  }
}
