// SPDX-License-Identifier: MIT

import Glibc

/// An error as D-Bus has them: a dotted name for programs, a sentence for people.
nonisolated package struct BusError: Error, Equatable, CustomStringConvertible {
  package let name: String
  package let message: String
  /// `nil` if the message is another program's, or for programmers.
  package let fault: Fault?

  /// What is wrong with a bus, or with who should answer there.
  package enum Fault: Equatable, Sendable {
    case silent(Bus.Kind)
    case unreachable(Bus.Kind, reason: String)
    case withoutAddress(Bus.Kind)
    /// What was being done when it ended.
    case ended(String, reason: String)
    case unanswered(String)
  }

  package init(_ name: String, _ message: String, _ fault: Fault? = nil) {
    self.name = name
    self.message = message
    self.fault = fault
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

  /// Whether somebody of that name may be there, but has not answered.
  package var isSilence: Bool { name == Self.timeout || name == Self.noReply }

  /// What sd-bus answers when a function of it fails: a negative errno.
  static func from(_ code: Int32, _ deed: String) -> BusError {
    let reason = String(cString: strerror(abs(code)))
    if isDisconnection(code) {
      return BusError(
        disconnected, "\(deed): the bus has ended (\(reason))", .ended(deed, reason: reason))
    }
    if abs(code) == ETIMEDOUT { return unanswered(timeout, deed) }
    return BusError(failed, "\(deed): \(reason)")
  }

  static func unanswered(_ name: String, _ deed: String) -> BusError {
    BusError(name, "\(deed): no answer in time", .unanswered(deed))
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
