// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// An incoming call, to be answered once. One that is released without an answer gets an error as its answer, so that
/// no caller waits for a timeout.
package final class MethodCall {
  package let arguments: [Value]
  /// The caller's unique name; `nil` on a connection without a bus.
  package var sender: String? { message.sender }
  var member: String { message.member ?? "" }
  private let message: BusMessage
  private var isAnswered = false

  init(_ message: BusMessage) throws(BusError) {
    self.message = message
    arguments = try message.arguments(upTo: .call)
  }

  /// Whether the caller waits for an answer.
  var expectsReply: Bool { sd_bus_message_get_expect_reply(message.pointer) > 0 }

  isolated deinit {
    fail(BusError(BusError.noReply, "the call was dropped without an answer"))
  }

  /// Values that do not fit into a message become an error for the caller.
  package func reply(_ values: [Value] = []) {
    guard !isAnswered else { return }
    do throws(BusError) {
      let reply = try BusMessage("answering", arguments: values) { message in
        sd_bus_message_new_method_return(self.message.pointer, &message)
      }
      isAnswered = true
      // An error is ignored: the caller may have left.
      sd_bus_send(nil, reply.pointer, nil)
    } catch {
      fail(error)
    }
  }

  package func fail(_ error: BusError) {
    guard !isAnswered else { return }
    isAnswered = true
    var copy = sd_bus_error()
    defer { sd_bus_error_free(&copy) }
    sd_bus_error_set(&copy, error.validName, error.message)
    sd_bus_reply_method_error(message.pointer, &copy)
  }
}

/// Limits the calls of each caller, and their work: all calls are in one queue, where those of one caller could delay
/// all others.
nonisolated package struct CallRateLimiter {
  /// The moment is in nanoseconds since boot.
  private typealias Caller = (remaining: Double, since: Int64)

  /// A call that takes longer counts once for each of these, in nanoseconds of processor time.
  private static let workPerCall: Int64 = 1_000_000
  /// Beyond this number, callers are forgotten.
  private static let maximumCallers = 1024

  private let perSecond: Double
  private let burst: Double
  private var callers: [String: Caller] = [:]

  /// - Parameter perSecond: calls on average; a burst may have twice as many.
  package init(perSecond: Int) {
    self.perSecond = Double(perSecond)
    burst = 2 * Double(perSecond)
  }

  /// Counts a call.
  /// - Returns: whether it exceeds the limit.
  package mutating func refuses(_ sender: String, at now: Int64) -> Bool {
    if callers[sender] == nil { makeRoom(at: now) }
    var caller = callers[sender] ?? (burst, now)
    caller.remaining = remaining(of: caller, at: now)
    caller.since = now
    let isTooMany = caller.remaining < 1
    if !isTooMany { caller.remaining -= 1 }
    callers[sender] = caller
    return isTooMany
  }

  /// Counts the work of an accepted call, so that a caller's burst is available again after four seconds at most.
  mutating func charge(_ sender: String, work: Int64) {
    guard let remaining = callers[sender]?.remaining else { return }
    let further = Double(max(0, work - Self.workPerCall)) / Double(Self.workPerCall)
    callers[sender]?.remaining = max(-burst, remaining - further)
  }

  private func remaining(of caller: Caller, at now: Int64) -> Double {
    min(burst, caller.remaining + Double(now - caller.since) / 1e9 * perSecond)
  }

  /// Forgets callers whose full burst is available again; then, if needed, all.
  private mutating func makeRoom(at now: Int64) {
    guard callers.count >= Self.maximumCallers else { return }
    callers = callers.filter { remaining(of: $0.value, at: now) < burst }
    if callers.count >= Self.maximumCallers { callers = [:] }
  }
}

/// The processor time that the thread has used, which does not depend on other programs. Nanoseconds.
nonisolated enum ProcessorTime {
  static var now: Int64 { EventLoop.nanoseconds(on: CLOCK_THREAD_CPUTIME_ID) }
}
