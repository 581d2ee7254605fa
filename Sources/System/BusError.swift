// SPDX-License-Identifier: MIT

import Glibc

/// An error of D-Bus: a dotted name for programs, a sentence for users.
nonisolated package struct BusError: Error, Equatable, CustomStringConvertible {
  package let name: String
  package let message: String
  /// `nil` if the message is from another program, or for developers.
  package let fault: Fault?

  /// A failure of a bus, or of a service on it.
  package enum Fault: Equatable, Sendable {
    case silent(Bus.Kind)
    case unreachable(Bus.Kind, reason: String)
    case withoutAddress(Bus.Kind)
    /// With the action during which it ended.
    case ended(String, reason: String)
    case unanswered(String)
  }

  package init(_ name: String, _ message: String, _ fault: Fault? = nil) {
    self.name = name
    self.message = message
    self.fault = fault
  }

  package var description: String { message.isEmpty ? name : message }

  package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
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
  /// Our own, for a bus that accepts a connection and then does not answer.
  package static let silentBus = "org.autorotate.Error.SilentBus"

  /// Whether the name has no owner on the bus.
  package var isServiceMissing: Bool { name == Self.serviceUnknown || name == Self.nameHasNoOwner }

  /// Whether the service may be there, but has not answered.
  package var isReplyTimeout: Bool { name == Self.timeout || name == Self.noReply }

  /// - Parameter code: of a failed function of sd-bus: a negative errno.
  static func from(_ code: Int32, _ action: String) -> BusError {
    let reason = String(cString: strerror(abs(code)))
    if isDisconnection(code) {
      return BusError(
        disconnected, "\(action): the bus has ended (\(reason))", .ended(action, reason: reason))
    }
    if abs(code) == ETIMEDOUT { return unanswered(timeout, action) }
    return BusError(failed, "\(action): \(reason)")
  }

  static func unanswered(_ name: String, _ action: String) -> BusError {
    BusError(name, "\(action): no answer in time", .unanswered(action))
  }

  /// Whether a negative errno means that the bus has ended.
  static func isDisconnection(_ code: Int32) -> Bool {
    [ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN].contains(abs(code))
  }

  @discardableResult
  static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(BusError) -> Int32 {
    guard code >= 0 else { throw from(code, action()) }
    return code
  }
}
