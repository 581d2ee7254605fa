// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// How long an X server may take to answer, in nanoseconds.
package struct X11Patience {
  /// The replies of one pass of the loop, together: a healthy server takes some milliseconds, and people notice when a
  /// program does not answer for a second.
  package var replies: Int64 = 400_000_000
  /// Until it counts as silent: the slowest drivers set a mode in a second or so.
  package var silence: Int64 = 2_000_000_000
  /// After a switch of virtual terminals, until silence is reported.
  package var terminalSwitch: Int64 = 10_000_000_000

  package init() {}
}

/// Receives the replies of an X server with a time limit.
///
/// libxcb's own functions wait for a reply without limit, so each reply is polled for. A server that is stopped, or
/// grabbed by another client, sends nothing: what was asked is then discarded, and nothing more is asked until the
/// server has answered a last request. One limit remains: once libxcb has read the head of a long reply, it waits for
/// the rest itself. A server that is stopped between the two blocks the loop until it continues.
final class X11Replies {
  private let handle: OpaquePointer
  private let patience: Int64
  private var waitsUntil: Int64
  /// Behind all that was given up; `nil` while the server answers.
  private var silence: X11Fence?

  init(_ handle: OpaquePointer, patience: Int64 = X11Patience().replies) {
    self.handle = handle
    self.patience = patience
    waitsUntil = EventLoop.now + patience
  }

  /// Whether a reply did not come in time, and the server has not caught up since.
  var areLate: Bool { silence != nil }

  /// To be called at the beginning of each pass.
  /// - Returns: whether the server can be asked something.
  func beginPass() -> Bool {
    waitsUntil = EventLoop.now + patience
    if let silence, silence.isPassed(handle) { self.silence = nil }
    return !areLate
  }

  /// - Parameter sequence: the request's number.
  /// - Returns: the reply, which is the caller's to free; `nil` to a request that gets none, and on a broken
  ///   connection.
  func take(_ sequence: UInt32) throws(Message) -> UnsafeMutableRawPointer? {
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    xcb_flush(handle)
    while xcb_poll_for_reply(handle, sequence, &reply, &error) == 0 {
      guard waitForMore() else {
        xcb_discard_reply(handle, sequence)
        throw .xServerIsSilent
      }
    }
    if let error { throw .xServer(error) }
    return reply
  }

  private func waitForMore() -> Bool {
    guard !areLate else { return false }
    let descriptor = xcb_get_file_descriptor(handle)
    if DescriptorWait.isReadable(descriptor, until: waitsUntil) { return true }
    silence = X11Fence(handle)
    xcb_flush(handle)
    return false
  }
}

/// A request that is answered after all that were sent before it.
struct X11Fence {
  private let sequence: UInt32

  init(_ handle: OpaquePointer) {
    sequence = xcb_get_input_focus(handle).sequence
  }

  /// Looks without waiting.
  /// - Returns: whether all of those are answered, or the connection is broken. True once.
  func isPassed(_ handle: OpaquePointer) -> Bool {
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    guard xcb_poll_for_reply(handle, sequence, &reply, &error) != 0 else { return false }
    free(reply)
    free(error)
    return true
  }
}

/// Takes each of several replies, whatever becomes of the others: xcb keeps for ever what nobody takes.
struct AllReplies {
  /// The first one.
  private(set) var failure: Message?

  /// - Returns: `nil` if there is none.
  @discardableResult
  mutating func take<Value>(_ collect: @autoclosure () throws(Message) -> Value) -> Value? {
    do {
      return try collect()
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// To be called when all are taken.
  func check() throws(Message) {
    if let failure { throw failure }
  }
}

/// Tells when an X server has not answered for long, and when it does again.
final class X11AnswerWatch {
  private(set) var isAnswering = true
  /// Whether an answer is due.
  var isDue = false {
    didSet {
      guard isDue != oldValue else { return }
      timer?.arm(at: isDue ? EventLoop.now + patience : nil)
      if !isDue, !isAnswering { tell(true) }
    }
  }

  private let patience: Int64
  private var timer: EventTimer?
  private let changed: (_ isAnswering: Bool) -> Void

  /// - Parameter patience: nanoseconds.
  init(
    _ loop: EventLoop, patience: Int64, changed: @escaping (_ isAnswering: Bool) -> Void
  ) throws {
    self.patience = patience
    self.changed = changed
    timer = try loop.timer { [weak self] in self?.tell(false) }
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }

  private func tell(_ isAnswering: Bool) {
    self.isAnswering = isAnswering
    changed(isAnswering)
  }
}
