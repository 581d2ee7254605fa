// SPDX-License-Identifier: MIT

import CSystemd
import CSystemdShims
import Glibc

/// A failed system call, with its errno.
package struct SystemError: Error, CustomStringConvertible {
  package let call: String
  package let code: Int32

  package init(call: String, code: Int32) {
    self.call = call
    self.code = abs(code)
  }

  package var reason: String { String(cString: strerror(code)) }

  package var description: String { "\(call): \(reason)" }
}

/// The only loop of the process: sd-event on the main thread. All waiting happens here.
///
/// Times are nanoseconds of `CLOCK_BOOTTIME`, which includes the time in suspend, unless a timer has the other clock.
package final class EventLoop {
  /// The `sd_event *`, for libraries that attach themselves to it.
  package let event: OpaquePointer

  package init() throws {
    var event: OpaquePointer?
    try Self.check(sd_event_new(&event), "sd_event_new")
    guard let event else { throw SystemError(call: "sd_event_new", code: ENOMEM) }
    self.event = event
  }

  isolated deinit {
    sd_event_unref(event)
  }

  /// Runs until `exit(_:)`; returns the code given there.
  package func run() throws -> Int32 { try Self.check(sd_event_loop(event), "sd_event_loop") }

  /// Handles events that are ready, or waits for one until the timeout.
  /// - Returns: whether anything was handled.
  @discardableResult
  package func runOnce(timeoutNanoseconds: Int64) throws -> Bool {
    try Self.check(sd_event_run(event, UInt64(max(0, timeoutNanoseconds)) / 1000), "sd_event_run") > 0
  }

  /// For another loop, which waits for it to become readable, and runs the steps of `runOnce` as sd_event_get_fd(3)
  /// describes: `prepare`, `poll` and `dispatch`.
  package var descriptor: Int32 { sd_event_get_fd(event) }

  /// - Returns: whether there is an event to dispatch already.
  package func prepare() -> Bool {
    // The other loop may have left out `poll` since the last time.
    if sd_event_get_state(event) == SD_EVENT_ARMED, poll() { return true }
    return sd_event_prepare(event) > 0
  }

  /// - Returns: whether there is an event to dispatch.
  package func poll() -> Bool { sd_event_wait(event, 0) > 0 }

  package func dispatch() { sd_event_dispatch(event) }

  package func exit(_ code: Int32 = 0) { sd_event_exit(event, code) }

  /// Nanoseconds since boot.
  nonisolated package static var now: Int64 { nanoseconds(on: CLOCK_BOOTTIME) }

  /// The time of any of the kernel's clocks.
  nonisolated package static func nanoseconds(on clock: Int32) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The moment after a time from now, in nanoseconds since boot.
  nonisolated static func moment(in time: Duration) -> Int64 {
    Int64(clamping: Int128(now) + time.attoseconds / 1_000_000_000)
  }

  /// Calls `handler` whenever `descriptor` can be read (or was hung up), until the result is cancelled.
  ///
  /// Throws for a file, which has no other end.
  /// - Parameter forHangUpOnly: only when the other end of a terminal, pipe or socket is closed.
  package func watch(
    _ descriptor: Int32, forHangUpOnly: Bool = false, _ handler: @escaping () -> Void
  ) throws -> EventSource {
    let source = EventSource(handler)
    // epoll reports EPOLLHUP and EPOLLERR without a request (epoll_ctl(2)).
    let events = forHangUpOnly ? 0 : UInt32(EPOLLIN.rawValue)
    let code = sd_event_add_io(
      event, &source.source, descriptor, events, { _, _, _, context in EventSource.fire(context) },
      source.context)
    try Self.check(code, "sd_event_add_io")
    return source
  }

  /// - Parameters:
  ///   - instant: when it fires, as for `EventTimer.arm`; `nil` for a timer that is inactive until it is armed.
  ///   - pausesInSuspend: whether its instants are of `CLOCK_MONOTONIC`, which stops in suspend.
  package func timer(
    at instant: Int64? = nil, pausesInSuspend: Bool = false, _ handler: @escaping () -> Void
  ) throws -> EventTimer {
    let source = EventTimer(handler)
    let clock = clockid_t(pausesInSuspend ? CLOCK_MONOTONIC : CLOCK_BOOTTIME)
    let code = sd_event_add_time(
      event, &source.source, clock, 0, EventTimer.accuracyMicroseconds,
      { _, _, context in EventSource.fire(context) }, source.context)
    try Self.check(code, "sd_event_add_time")
    source.arm(at: instant)
    return source
  }

  @discardableResult
  static func check(_ code: Int32, _ call: String) throws -> Int32 {
    guard code >= 0 else { throw SystemError(call: call, code: code) }
    return code
  }

  /// Nanoseconds since boot; before the loop runs, the current time.
  fileprivate var latestWakeUp: Int64 {
    var microseconds: UInt64 = 0
    guard sd_event_now(event, clockid_t(CLOCK_BOOTTIME), &microseconds) == 0 else { return Self.now }
    return Int64(microseconds) * 1000
  }
}

/// Something the loop waits for. It ends when it is cancelled or released.
package class EventSource {
  var source: OpaquePointer?
  private let handler: (UnsafeRawPointer?) -> Void
  private var prepare: (() -> Void)?

  fileprivate init(_ handler: @escaping () -> Void) {
    self.handler = { _ in handler() }
  }

  /// - Parameter handler: receives the details of sd-event about the event.
  init<Details>(details type: Details.Type, _ handler: @escaping (Details) -> Void) {
    self.handler = { details in details.map { handler($0.load(as: Details.self)) } }
  }

  isolated deinit {
    cancel()
  }

  package func cancel() {
    sd_event_source_disable_unref(source)
    source = nil
  }

  /// Whether the loop waits for it now.
  package var isEnabled = true {
    didSet { sd_event_source_set_enabled(source, Int32(isEnabled ? SD_EVENT_ON : SD_EVENT_OFF)) }
  }

  /// Calls `prepare` before each wait of the loop, for libraries with a queue of their own that no descriptor signals.
  package func beforeWaiting(_ prepare: @escaping () -> Void) throws {
    self.prepare = prepare
    let code = sd_event_source_set_prepare(source) { _, context in
      callbackObject(EventSource.self, at: context).prepare?()
      return 0
    }
    try EventLoop.check(code, "sd_event_source_set_prepare")
  }

  /// Whether to call the handler of `watch` also whenever the descriptor can be written.
  package func watchWritability(_ isWanted: Bool) {
    let writing = isWanted ? UInt32(EPOLLOUT.rawValue) : 0
    sd_event_source_set_io_events(source, UInt32(EPOLLIN.rawValue) | writing)
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// - Returns: 0, for which sd-event keeps the source.
  static func fire(_ context: UnsafeMutableRawPointer?, details: UnsafeRawPointer? = nil) -> Int32 {
    let source = callbackObject(EventSource.self, at: context)
    withExtendedLifetime(source) { source.handler(details) }
    return 0
  }
}

/// Fires once for each time it is armed.
package final class EventTimer: EventSource {
  /// sd-event would otherwise let a timer be a quarter of a second late.
  fileprivate static let accuracyMicroseconds: UInt64 = 1000

  /// Whether it will fire.
  package var isArmed: Bool { sd_event_source_get_enabled(source, nil) > 0 }

  /// Lets it fire only when no other event is due.
  package func waitForIdle() { sd_event_source_set_priority(source, Int64(SD_EVENT_PRIORITY_IDLE)) }

  /// - Parameter instant: nanoseconds on the clock of the timer; a past one fires at once, `nil` disarms it.
  package func arm(at instant: Int64?) {
    guard let instant, instant < .max else {
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
      return
    }
    let microseconds = (UInt64(max(0, instant)) + 999) / 1000
    sd_event_source_set_time(source, microseconds)
    sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
  }
}

/// Detects that the loop did not run for a while, so that queued messages may be old: the process was stopped (SIGSTOP,
/// Ctrl-Z), or the loop was blocked.
package final class StallWatch {
  /// Nanoseconds. Callers wait for at least half a second.
  private static let maximumStep: Int64 = 400_000_000

  private var source: EventSource?

  /// Must be created before a second thread starts, which would not inherit the signal mask.
  package init(loop: EventLoop, _ handler: @escaping () -> Void) throws {
    let source = try loop.onSignal(SIGCONT) { _ in handler() }
    // Handle it before the calls that have arrived: sd-event reads the signal together with them,
    // and then `isDue` is false.
    let important = Int64(SD_EVENT_PRIORITY_IMPORTANT)
    try EventLoop.check(
      sd_event_source_set_priority(source.source, important), "sd_event_source_set_priority")
    try source.beforeWaiting { [weak loop] in
      guard let loop, EventLoop.now - loop.latestWakeUp > Self.maximumStep else { return }
      handler()
    }
    self.source = source
  }

  /// Whether the process was stopped, and the handler has not been called yet.
  static var isDue: Bool {
    var pending = sigset_t()
    return sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1
  }
}

/// The delay before the next attempt, doubled each time. Nanoseconds.
nonisolated package struct Backoff: Equatable, Sendable {
  private let first: Int64
  private let longest: Int64
  private var delay: Int64

  package init(first: Int64 = 5_000_000_000, longest: Int64 = 300_000_000_000) {
    self.first = first
    self.longest = longest
    delay = first
  }

  /// - Returns: the moment of the next attempt.
  package mutating func next(after now: Int64) -> Int64 {
    defer { delay = min(delay * 2, longest) }
    return now + delay
  }

  package var isAtLongest: Bool { delay == longest }

  /// To be called after a success.
  package mutating func reset() { delay = first }
}
