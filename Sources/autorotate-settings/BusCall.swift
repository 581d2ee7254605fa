// SPDX-License-Identifier: MIT

import CAdwaita
import Language

/// One call over a connection of its own to the session bus, which ends with the answer or the time limit. A stopped
/// daemon that continues then sees that the caller has gone, and does not perform the call.
final class BusCall {
  /// The daemon answers at once unless it hangs; milliseconds.
  private static let timeLimit: UInt32 = 5000

  private let service: String
  private let path: String
  private let member: String
  private let arguments: OpaquePointer?
  private let type: OpaquePointer?
  private let done: (OpaquePointer?, String?) -> Void
  private let cancellable = g_cancellable_new()
  private var connection: OpaquePointer?

  /// - Parameters:
  ///   - service: also the name of the interface.
  ///   - arguments: a tuple; ownership is transferred.
  ///   - type: of the answer; one of another type is a refusal.
  ///   - done: called once, with the answer or the words of a refusal.
  init(
    _ service: String, _ path: String, _ member: String, _ arguments: OpaquePointer?,
    answering type: String? = nil, done: @escaping (OpaquePointer?, String?) -> Void
  ) {
    self.service = service
    self.path = path
    self.member = member
    self.arguments = arguments.map { g_variant_ref_sink($0) }
    self.type = type.map { g_variant_type_new($0) } ?? nil
    self.done = done
  }

  isolated deinit {
    arguments.map { g_variant_unref($0) }
    g_variant_type_free(type)
    g_object_unref(cancellable)
  }

  func start() {
    after(milliseconds: Self.timeLimit) { g_cancellable_cancel(self.cancellable) }
    var error: UnsafeMutablePointer<GError>?
    guard let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, &error) else {
      return finish(nil, Daemon.words(of: &error))
    }
    defer { g_free(address) }
    let connected = Completion { [self] result in
      var error: UnsafeMutablePointer<GError>?
      guard let connection = g_dbus_connection_new_for_address_finish(result, &error) else {
        return finish(nil, Daemon.words(of: &error))
      }
      send(over: connection)
    }
    g_dbus_connection_new_for_address(
      address, GDBusConnectionFlags(rawValue: cadw_bus_client), nil, cancellable, Completion.call,
      connected.data)
  }

  private func send(over connection: OpaquePointer) {
    self.connection = connection
    let answered = Completion { [self] result in
      var error: UnsafeMutablePointer<GError>?
      let answer = g_dbus_connection_call_finish(connection, result, &error)
      finish(answer, Daemon.words(of: &error))
      if let answer { g_variant_unref(answer) }
    }
    g_dbus_connection_call(
      connection, service, path, service, member, arguments, type, GDBusCallFlags(rawValue: 0), .max,
      cancellable, Completion.call, answered.data)
  }

  private func finish(_ answer: OpaquePointer?, _ refusal: String?) {
    if let connection {
      g_dbus_connection_close(connection, nil, nil, nil)
      g_object_unref(UnsafeMutableRawPointer(connection))
    }
    connection = nil
    done(answer, refusal)
  }
}
