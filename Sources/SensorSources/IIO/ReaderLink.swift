// SPDX-License-Identifier: MIT

import Autorotation
import CSystemd
import Glibc
import Synchronization
import System

/// Everything that the loop's thread and the reading thread share. Neither waits for the other, except at the end,
/// while the sensor's buffer is turned off.
nonisolated final class ReaderLink: Sendable {
  /// What the loop wants from the reader.
  struct Wish: Equatable {
    var demand = SensorDemand.off
    var hinge = HingeWatch.off
    /// Sensors have come or gone: look again.
    var looksAgain = false
    var ends = false
  }

  /// What the reader reports.
  enum Report: Equatable {
    case found(String)
    case lost(Message)
    case sample(MotionSample, Instant)
    case hinge(HingeWord)
    case notice(Message)
    /// Nothing is read until the sensor itself tells of a movement, and nothing will be heard.
    case dozes
  }

  /// Newer samples are dropped when the loop has left so many unread: those of 15 s while following a turn, of 2.5 s
  /// at 100 Hz.
  private static let capacity = 256

  /// Becomes readable when there are reports.
  let arrivals: Int32
  private let calls: Int32
  private let shared = Mutex(Shared())

  private struct Shared {
    var wish = Wish()
    var reports: [Report] = []
    var isStreaming = false
    /// From which the reader waits for an answer right now.
    var gyroscope: String?
    /// Whether the reader has come back from a read since that was asked last.
    var hasRead = false
  }

  init() throws {
    arrivals = try Self.eventDescriptor()
    do {
      calls = try Self.eventDescriptor()
    } catch {
      close(arrivals)
      throw error
    }
  }

  deinit {
    close(arrivals)
    close(calls)
  }

  // MARK: On the loop's thread

  func ask(_ change: (inout Wish) -> Void) {
    let isNew = shared.withLock { shared in
      let old = shared.wish
      change(&shared.wish)
      return shared.wish != old
    }
    if isNew { eventfd_write(calls, 1) }
  }

  func takeReports() -> [Report] {
    var count: eventfd_t = 0
    eventfd_read(arrivals, &count)
    return shared.withLock { shared in
      defer { shared.reports.removeAll(keepingCapacity: true) }
      return shared.reports
    }
  }

  /// Waits until the reader has turned the sensor's buffer off, if it is on or about to be. Only a driver that hangs
  /// takes longer than 0.7 s.
  func awaitEndOfStream() {
    let deadline = EventLoop.now + 700_000_000
    while shared.withLock({ $0.isStreaming }), EventLoop.now < deadline {
      var descriptor = pollfd(fd: arrivals, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, Self.milliseconds(until: deadline)) > 0 { _ = takeReports() }
    }
  }

  /// The gyroscope from which the reader waits for an answer right now.
  var awaitedGyroscope: String? { shared.withLock { $0.gyroscope } }

  /// Whether the reader has come back from a read since this was asked last.
  func takeSign() -> Bool {
    shared.withLock { shared in
      defer { shared.hasRead = false }
      return shared.hasRead
    }
  }

  // MARK: On the reading thread

  /// To be called after each read.
  func giveSign() {
    shared.withLock { $0.hasRead = true }
  }

  /// To be called around whatever may block because of a gyroscope.
  func awaits(gyroscope title: String?) {
    shared.withLock { $0.gyroscope = title }
  }

  /// Must be called before the buffer is turned on, so that the loop waits at the end until it is off again.
  /// - Returns: `false` if it is too late to begin.
  func mayBeginToStream() -> Bool {
    shared.withLock { shared in
      if !shared.wish.ends { shared.isStreaming = true }
      return !shared.wish.ends
    }
  }

  var isToEnd: Bool { shared.withLock { $0.wish.ends } }

  func isStreaming(_ isStreaming: Bool) {
    shared.withLock { $0.isStreaming = isStreaming }
    if !isStreaming { eventfd_write(arrivals, 1) }
  }

  /// Sleeps until the loop asks for something, the sensor tells something, or the moment has come.
  /// - Parameters:
  ///   - moment: nanoseconds since boot; `nil` for never.
  ///   - sensor: a descriptor that can be read when the sensor tells something; `nil` if it tells nothing by itself.
  /// - Returns: what the loop wants, and whether the sensor has told something.
  func wait(until moment: Int64?, sensor: Int32? = nil) -> (wish: Wish, isTold: Bool) {
    // poll skips what is negative.
    var descriptors = [calls, sensor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&descriptors, 2, Self.milliseconds(until: moment))
    if count > 0, descriptors[0].revents != 0 {
      var count: eventfd_t = 0
      eventfd_read(calls, &count)
    }
    let wish = shared.withLock { shared in
      defer { shared.wish.looksAgain = false }
      return shared.wish
    }
    return (wish, count > 0 && descriptors[1].revents != 0)
  }

  func tell(_ report: Report) {
    shared.withLock { shared in
      if shared.reports.count < Self.capacity || !report.isSample { shared.reports.append(report) }
    }
    eventfd_write(arrivals, 1)
  }

  private static func milliseconds(until moment: Int64?) -> Int32 {
    guard let moment else { return -1 }
    let milliseconds = (moment - EventLoop.now + 999_999) / 1_000_000
    return Int32(clamping: max(0, milliseconds))
  }

  private static func eventDescriptor() throws -> Int32 {
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError(call: "eventfd", code: errno) }
    return descriptor
  }
}

nonisolated extension ReaderLink.Report {
  fileprivate var isSample: Bool {
    if case .sample = self { true } else { false }
  }
}
