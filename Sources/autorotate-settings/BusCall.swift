// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita

/// One call over a connection of its own to the session bus, which ends with the answer or the time limit. A stopped
/// daemon that continues then sees that the caller has gone, and does not perform the call.
final class BusCall {
  /// The daemon answers at once unless it hangs; milliseconds.
  private static let timeLimit: UInt32 = 5000

  private let done: (OpaquePointer?, String?) -> Void
  private let cancellable = g_cancellable_new()

  /// - Parameter done: called once, with the answer or the words of a refusal.
  init(done: @escaping (OpaquePointer?, String?) -> Void) { self.done = done }

  isolated deinit { g_object_unref(cancellable) }

  /// - Parameter service: also the name of the interface.
  func start(_ service: String, _ path: String, _ member: String, _ arguments: [DaemonCommand.Argument]) {
    after(milliseconds: Self.timeLimit) { g_cancellable_cancel(self.cancellable) }
    let connected = Completion { [self] result in
      var error: UnsafeMutablePointer<GError>?
      guard let connection = g_dbus_connection_new_for_address_finish(result, &error) else {
        return done(nil, Daemon.words(of: &error))
      }
      send(service, path, member, arguments, over: connection)
    }
    g_dbus_connection_new_for_address(
      g_getenv("DBUS_SESSION_BUS_ADDRESS"), GDBusConnectionFlags(rawValue: cadw_bus_client), nil, cancellable,
      Completion.call, connected.data)
  }

  private func send(
    _ service: String, _ path: String, _ member: String, _ arguments: [DaemonCommand.Argument],
    over connection: OpaquePointer
  ) {
    var values = arguments.map(\.variant)
    let answered = Completion { [self] result in
      var error: UnsafeMutablePointer<GError>?
      let answer = g_dbus_connection_call_finish(connection, result, &error)
      g_dbus_connection_close(connection, nil, nil, nil)
      g_object_unref(UnsafeMutableRawPointer(connection))
      done(answer, Daemon.words(of: &error))
      if let answer { g_variant_unref(answer) }
    }
    g_dbus_connection_call(
      connection, service, path, service, member, g_variant_new_tuple(&values, gsize(values.count)), nil,
      GDBusCallFlags(rawValue: 0), .max, cancellable, Completion.call, answered.data)
  }
}

extension DaemonCommand.Argument {
  fileprivate var variant: OpaquePointer? {
    switch self {
    case .text(let text): g_variant_new_string(text)
    case .number(let number): g_variant_new_uint32(number)
    case .flag(let flag): g_variant_new_boolean(flag ? 1 : 0)
    }
  }
}
