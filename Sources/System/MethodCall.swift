// SPDX-License-Identifier: MIT

import CSystemd

/// A call that came in, to be answered once. One that is let go unanswered is answered with an
/// error, so that nobody waits in vain.
package final class MethodCall {
  package let arguments: [Value]
  /// The caller's unique name; `nil` on a connection without a bus.
  package let sender: String?
  let member: String
  private let message: BusMessage
  private var isAnswered = false

  init(_ message: BusMessage) throws(BusError) {
    self.message = message
    arguments = try message.arguments(upTo: .call)
    sender = message.sender
    member = message.member ?? ""
  }

  /// Whether the caller waits for an answer.
  var expectsReply: Bool { sd_bus_message_get_expect_reply(message.pointer) > 0 }

  isolated deinit {
    fail(BusError(BusError.noReply, "the call was dropped without an answer"))
  }

  /// Values that do not make a message become an error for the caller.
  package func reply(_ values: [Value] = []) {
    guard !isAnswered else { return }
    do throws(BusError) {
      let reply = try BusMessage("answering", arguments: values) { message in
        sd_bus_message_new_method_return(self.message.pointer, &message)
      }
      send(reply)
    } catch {
      fail(error)
    }
  }

  package func fail(_ error: BusError) {
    guard !isAnswered else { return }
    let reply = try? BusMessage("answering", arguments: []) { message in
      Self.newError(error, to: self.message.pointer, &message)
    }
    if let reply { send(reply) }
    isAnswered = true
  }

  private func send(_ reply: BusMessage) {
    isAnswered = true
    // Whether the caller is still there to hear it is the caller's concern.
    sd_bus_send(nil, reply.pointer, nil)
  }

  private static func newError(
    _ error: BusError, to call: OpaquePointer, _ message: inout OpaquePointer?
  ) -> Int32 {
    var copy = sd_bus_error()
    defer { sd_bus_error_free(&copy) }
    sd_bus_error_set(&copy, error.validName, error.message)
    return sd_bus_message_new_method_error(call, &message, &copy)
  }
}

/// How often a caller may call: calls come in one queue, and those of one who calls without end would be
/// answered before anybody else's.
nonisolated package struct CallMeter {
  private struct Caller {
    var left: Double
    /// Nanoseconds since boot.
    var since: Int64
  }

  /// More callers than that at the same time are not told apart.
  private static let mostCallers = 1024

  private let perSecond: Double
  private let burst: Double
  private var callers: [String: Caller] = [:]

  /// - Parameter perSecond: for long; for a moment twice as many.
  package init(perSecond: Int) {
    self.perSecond = Double(perSecond)
    burst = 2 * Double(perSecond)
  }

  /// Counts a call.
  /// - Returns: whether it is one too many.
  package mutating func refuses(_ sender: String, at now: Int64) -> Bool {
    if callers[sender] == nil { makeRoom(at: now) }
    var caller = callers[sender] ?? Caller(left: burst, since: now)
    caller.left = left(of: caller, at: now)
    caller.since = now
    let isTooMany = caller.left < 1
    if !isTooMany { caller.left -= 1 }
    callers[sender] = caller
    return isTooMany
  }

  private func left(of caller: Caller, at now: Int64) -> Double {
    min(burst, caller.left + Double(now - caller.since) / 1e9 * perSecond)
  }

  /// Who has not called for two seconds is as good as new.
  private mutating func makeRoom(at now: Int64) {
    guard callers.count >= Self.mostCallers else { return }
    callers = callers.filter { left(of: $0.value, at: now) < burst }
    if callers.count >= Self.mostCallers { callers = [:] }
  }
}
