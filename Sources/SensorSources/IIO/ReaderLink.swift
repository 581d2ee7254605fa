// SPDX-License-Identifier: MIT

import Autorotation
import CSystemd
import Glibc
import Synchronization
import System

/// The state that the loop's thread and the reading thread share. Neither waits for the other, except at the end,
/// while the sensor's buffer is turned off.
nonisolated final class ReaderLink: Sendable {
  /// What the loop wants of the reader.
  struct Request: Equatable {
    var demand = SensorDemand.off
    var hinge = HingeWatch.off
    /// Whether to search again, since sensors have been added or removed.
    var searchesAgain = false
    var stops = false
  }

  /// What the reader reports.
  enum Report: Equatable {
    case found(String)
    case lost(Message)
    case sample(MotionSample, Instant)
    case hinge(HingeReading)
    case notice(Message)
    /// Nothing is read or reported until the sensor reports a change (`OnChangeMode`).
    case isOnChange
  }

  /// Unread reports after which newer samples are dropped: 15 s of samples while the device may be rotating, 2.5 s at
  /// 100 Hz.
  private static let capacity = 256

  /// Becomes readable when there are reports.
  let arrivals: Int32
  private let requests: Int32
  private let shared = Mutex(Shared())

  private struct Shared {
    var request = Request()
    var reports: [Report] = []
    var isStreaming = false
    var isMeasuringHinge = false
    /// The gyroscope that the reader is waiting for.
    var awaitedGyroscope: String?
    /// Whether a read has returned since the last `takeProgress`.
    var hasRead = false
  }

  init() throws {
    arrivals = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    requests = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard arrivals >= 0, requests >= 0 else { throw SystemError(call: "eventfd", code: errno) }
  }

  deinit {
    for descriptor in [arrivals, requests] where descriptor >= 0 { close(descriptor) }
  }

  // MARK: On the loop's thread

  func update(_ change: (inout Request) -> Void) {
    let isNew = shared.withLock { shared in
      let old = shared.request
      change(&shared.request)
      return shared.request != old
    }
    if isNew { eventfd_write(requests, 1) }
  }

  func takeReports() -> [Report] {
    var count: eventfd_t = 0
    eventfd_read(arrivals, &count)
    return shared.withLock { shared in
      defer { shared.reports.removeAll(keepingCapacity: true) }
      return shared.reports
    }
  }

  /// Waits until the reader has turned the sensor's buffer off, for at most 0.7 s:
  /// only a driver that hangs takes longer.
  func waitForEndOfStream() {
    let deadline = EventLoop.now + 700_000_000
    while shared.withLock({ $0.isStreaming }), EventLoop.now < deadline {
      var descriptor = pollfd(fd: arrivals, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, Self.milliseconds(until: deadline)) > 0 { _ = takeReports() }
    }
  }

  var awaitedGyroscope: String? { shared.withLock { $0.awaitedGyroscope } }

  /// Whether the hinge is measured, so that the sensor is read even without a demand.
  var isMeasuringHinge: Bool { shared.withLock { $0.isMeasuringHinge } }

  /// Whether a read has returned since the last call.
  func takeProgress() -> Bool {
    shared.withLock { shared in
      defer { shared.hasRead = false }
      return shared.hasRead
    }
  }

  // MARK: On the reading thread

  /// Must be called after each read.
  func noteProgress() { shared.withLock { $0.hasRead = true } }

  /// Makes a call that a gyroscope may block.
  func awaiting<Result>(gyroscope title: String, _ body: () -> Result) -> Result {
    shared.withLock { $0.awaitedGyroscope = title }
    defer { shared.withLock { $0.awaitedGyroscope = nil } }
    return body()
  }

  /// Must be called before the buffer is turned on, so that the loop waits at the end until it is off again.
  /// - Returns: `false` if the reader is to stop.
  func tryBeginStreaming() -> Bool {
    shared.withLock { shared in
      if !shared.request.stops { shared.isStreaming = true }
      return !shared.request.stops
    }
  }

  var isStopping: Bool { shared.withLock { $0.request.stops } }

  /// Wakes the loop once the buffer has been turned off.
  func setStreaming(_ isStreaming: Bool) {
    let hasEnded = shared.withLock { shared in
      defer { shared.isStreaming = isStreaming }
      return shared.isStreaming && !isStreaming
    }
    if hasEnded { eventfd_write(arrivals, 1) }
  }

  /// Wakes the loop if that has changed, since it watches whether reads return.
  func setMeasuringHinge(_ isMeasuring: Bool) {
    let isNew = shared.withLock { shared in
      defer { shared.isMeasuringHinge = isMeasuring }
      return shared.isMeasuringHinge != isMeasuring
    }
    if isNew { eventfd_write(arrivals, 1) }
  }

  /// Sleeps until the loop changes its request, the sensor has data, or the moment has come.
  /// - Parameters:
  ///   - moment: nanoseconds since boot; `nil` for never.
  ///   - sensor: a descriptor that is readable when the sensor has data; `nil` if it is polled.
  /// - Returns: the loop's request, and whether the sensor has data.
  func wait(until moment: Int64?, sensor: Int32? = nil) -> (request: Request, hasData: Bool) {
    // poll ignores negative descriptors.
    var descriptors = [requests, sensor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&descriptors, 2, Self.milliseconds(until: moment))
    if count > 0, descriptors[0].revents != 0 {
      var count: eventfd_t = 0
      eventfd_read(requests, &count)
    }
    let request = shared.withLock { shared in
      defer { shared.request.searchesAgain = false }
      return shared.request
    }
    return (request, count > 0 && descriptors[1].revents != 0)
  }

  func report(_ report: Report) {
    shared.withLock { shared in
      if case .sample = report, shared.reports.count >= Self.capacity { return }
      shared.reports.append(report)
    }
    eventfd_write(arrivals, 1)
  }

  /// For poll(2), rounded up; -1 for never.
  static func milliseconds(until moment: Int64?, now: Int64 = EventLoop.now) -> Int32 {
    guard let moment else { return -1 }
    let milliseconds = (moment - now + 999_999) / 1_000_000
    return Int32(clamping: max(0, milliseconds))
  }
}
