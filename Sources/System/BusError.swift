// SPDX-License-Identifier: MIT

import Glibc

/// An error as D-Bus has them: a dotted name for programs, a sentence for people.
nonisolated package struct BusError: Error, Equatable, CustomStringConvertible {
  package let name: String
  package let message: String

  package init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : message }

  package static let failed = "org.freedesktop.DBus.Error.Failed"
  package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
  package static let noReply = "org.freedesktop.DBus.Error.NoReply"
  package static let noServer = "org.freedesktop.DBus.Error.NoServer"
  package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
  package static let timeout = "org.freedesktop.DBus.Error.Timeout"
  package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
  /// Ours, for a bus that takes a connection and then says nothing.
  package static let silentBus = "org.autorotate.Error.SilentBus"

  /// Whether nobody of that name is on the bus.
  package var isAbsence: Bool { name == Self.serviceUnknown || name == Self.nameHasNoOwner }

  /// What sd-bus answers when a function of it fails: a negative errno.
  static func from(_ code: Int32, _ deed: String) -> BusError {
    let reason = String(cString: strerror(abs(code)))
    if isDisconnection(code) { return BusError(disconnected, "\(deed): the bus has ended (\(reason))") }
    if abs(code) == ETIMEDOUT { return BusError(timeout, "\(deed): no answer in time") }
    return BusError(failed, "\(deed): \(reason)")
  }

  /// Whether a negative errno means that there is no bus any more.
  static func isDisconnection(_ code: Int32) -> Bool {
    [ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN].contains(abs(code))
  }

  @discardableResult
  static func check(_ code: Int32, _ deed: @autoclosure () -> String) throws(BusError) -> Int32 {
    guard code >= 0 else { throw from(code, deed()) }
    return code
  }
}
