// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// How long an X server may take to answer, in nanoseconds.
package struct X11Timeouts {
  /// For all replies of one pass of the loop: a healthy server takes some milliseconds, and users notice when a program
  /// does not answer for a second.
  package var replies: Int64 = 400_000_000
  /// Until the server counts as silent: the slowest drivers set a mode in about a second.
  package var silence: Int64 = 2_000_000_000
  /// After a switch of virtual terminals, until silence is reported.
  package var terminalSwitch: Int64 = 10_000_000_000

  package init() {}
}

/// Receives the replies of an X server with a time limit.
///
/// libxcb's own functions wait for a reply without limit, so each reply is polled for. A server that is stopped, or
/// grabbed by another client, sends nothing: pending requests are then discarded, and no more are sent until the server
/// has answered a last one. One limit remains: once libxcb has read the head of a long reply, it waits for the rest
/// itself. A server that is stopped between the two blocks the loop until it continues.
final class X11Replies {
  private let handle: OpaquePointer
  private let displayName: String
  private let timeout: Int64
  private var deadline: Int64
  /// Sent after all discarded requests; `nil` while the server answers.
  private var silence: X11Fence?

  init(_ handle: OpaquePointer, displayName: String, timeout: Int64) {
    self.handle = handle
    self.displayName = displayName
    self.timeout = timeout
    deadline = EventLoop.now + timeout
  }

  /// Whether a reply did not come in time, and the server has not caught up since.
  var areLate: Bool { silence != nil }

  /// To be called at the beginning of each pass of the loop.
  /// - Returns: whether the server answers, so that requests make sense.
  func beginPass() -> Bool {
    deadline = EventLoop.now + timeout
    if let silence, silence.isPassed(handle) { self.silence = nil }
    return !areLate
  }

  /// - Parameter sequence: the request's sequence number.
  /// - Returns: the reply, which the caller frees; `nil` for a request without reply, and on a broken connection.
  func receive(_ sequence: UInt32) throws(Message) -> UnsafeMutableRawPointer? {
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    xcb_flush(handle)
    while xcb_poll_for_reply(handle, sequence, &reply, &error) == 0 {
      guard waitForMore() else {
        xcb_discard_reply(handle, sequence)
        throw .silentX(displayName)
      }
    }
    if let error { throw .xServer(error) }
    return reply
  }

  /// Receives the reply to a request that has one, and frees it after `read`.
  func receive<Value>(
    _ sequence: UInt32, _ read: (UnsafeMutableRawPointer) -> Value
  ) throws(Message) -> Value {
    guard let reply = try receive(sequence) else { throw .xServerHasEnded }
    defer { free(reply) }
    return read(reply)
  }

  private func waitForMore() -> Bool {
    guard !areLate else { return false }
    let descriptor = xcb_get_file_descriptor(handle)
    if DescriptorWait.isReadable(descriptor, until: deadline) { return true }
    silence = X11Fence(handle)
    xcb_flush(handle)
    return false
  }
}

/// A request whose reply shows that all earlier requests are answered.
struct X11Fence {
  private let sequence: UInt32

  init(_ handle: OpaquePointer) {
    sequence = xcb_get_input_focus(handle).sequence
  }

  /// Checks without waiting.
  /// - Returns: whether all earlier requests are answered, or the connection is broken. True once.
  func isPassed(_ handle: OpaquePointer) -> Bool {
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    guard xcb_poll_for_reply(handle, sequence, &reply, &error) != 0 else { return false }
    free(reply)
    free(error)
    return true
  }
}

/// Receives each of several replies, even if others fail: xcb keeps replies until they are received.
struct ReplyCollector {
  /// The first one.
  private(set) var failure: Message?

  /// - Returns: `nil` if it failed.
  @discardableResult
  mutating func collect<Value>(_ reply: @autoclosure () throws(Message) -> Value) -> Value? {
    do {
      return try reply()
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// - Returns: the replies that did not fail.
  mutating func collectAll<Value>(_ requests: [X11Request<Value>]) -> [Value] {
    var values: [Value] = []
    for request in requests { if let value = collect(try request.receive()) { values.append(value) } }
    return values
  }

  /// To be called when all are received.
  func check() throws(Message) {
    if let failure { throw failure }
  }
}

/// Reports when an X server has not answered within the timeout, and when it answers again.
final class X11AnswerWatch {
  private(set) var isAnswering = true
  var isDue: Bool {
    get { deadline != nil }
    set {
      guard newValue != isDue else { return }
      deadline = newValue ? EventLoop.now + timeout : nil
      timer?.arm(at: deadline)
      if !newValue, !isAnswering { report(true) }
    }
  }

  /// When the server will have been silent too long; `nil` while no answer is due.
  private(set) var deadline: Int64?
  private let timeout: Int64
  private var timer: EventTimer?
  private let changed: (_ isAnswering: Bool) -> Void

  /// - Parameter timeout: nanoseconds.
  init(_ loop: EventLoop, timeout: Int64, changed: @escaping (_ isAnswering: Bool) -> Void) throws {
    self.timeout = timeout
    self.changed = changed
    timer = try loop.timer { [weak self] in self?.report(false) }
  }

  /// Reports silence again at this time, unless the server has answered by then.
  func reportSilence(at instant: Instant) { timer?.arm(at: instant.nanoseconds) }

  private func report(_ isAnswering: Bool) {
    self.isAnswering = isAnswering
    changed(isAnswering)
  }
}

/// Whether an X server that does not answer may be busy with a switch of virtual terminals. While it releases or
/// acquires its terminal it does not answer, and graphics drivers can need seconds for that.
struct TerminalSwitch {
  /// Whether logind reports this session as active.
  private(set) var isSessionActive = true
  /// Whether the server has its terminal, as last read.
  private var hasTerminal = true
  private var changedAt: Instant?
  private let timeout: Duration

  /// - Parameter timeout: how long the server may be silent after a switch.
  init(timeout: Duration) {
    self.timeout = timeout
  }

  mutating func sessionChanged(isActive: Bool, at now: Instant) {
    if isActive != isSessionActive { changedAt = now }
    isSessionActive = isActive
  }

  mutating func serverReported(hasTerminal: Bool, at now: Instant) {
    if hasTerminal != self.hasTerminal { changedAt = now }
    self.hasTerminal = hasTerminal
  }

  /// Until when silence is expected; `nil` if it is a fault now. In an inactive session, silence is always expected.
  func expectedSilenceEnd(at now: Instant) -> Instant? {
    guard isSessionActive else { return .never }
    let end = changedAt.map { $0 + timeout }
    return end.flatMap { now < $0 ? $0 : nil }
  }
}
