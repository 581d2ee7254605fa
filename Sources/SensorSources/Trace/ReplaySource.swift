// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
package import System

/// Plays a trace file in real time, as if it were a sensor.
///
/// Playback starts with the first demand: the first sample is reported then, and the others at the intervals of the
/// trace, gaps included. Playback continues while there is no demand, and the samples of that time are dropped. At the
/// end of the trace, the sensor is lost.
package final class ReplaySource: SensorSource {
  private let path: String
  private let loop: EventLoop
  private let notice: (Message) -> Void
  private var report: (Event, Instant) -> Void = { _, _ in }
  private var descriptor: Int32 = -1
  private var reader: TraceReader?
  private var upcoming: (time: Instant, sample: MotionSample)?
  private var timer: EventTimer?
  private var demand = SensorDemand.off
  private var hasReportedFound = false
  /// The start on the trace's clock and on the loop's; `nil` before the first demand.
  private var playbackStart: (trace: Instant, loop: Instant)?

  /// - Parameter notice: called at the end for the lines that were skipped.
  package init(path: String, loop: EventLoop, notice: @escaping (Message) -> Void) {
    self.path = path
    self.loop = loop
    self.notice = notice
  }

  isolated deinit {
    stop()
  }

  /// - Throws: `Message` if there is no trace at the path, or no sample in it.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    stop()
    descriptor = try Self.open(path)
    reader = TraceReader(descriptor: descriptor, name: path, format: .seconds)
    upcoming = try firstSample()
    self.report = report
    (demand, hasReportedFound, playbackStart) = (.off, false, nil)
    timer = try loop.timer(at: EventLoop.now) { [weak self] in self?.advance() }
  }

  package func demand(_ demand: SensorDemand) {
    self.demand = demand
    guard playbackStart == nil, demand != .off, let upcoming else { return }
    let now = EventLoop.now
    playbackStart = (upcoming.time, Instant(nanoseconds: now))
    timer?.arm(at: now)
  }

  package func stop() {
    timer = nil
    reader = nil
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func advance() {
    if !hasReportedFound {
      hasReportedFound = true
      report(.sensorFound(name: "trace \(path)"), Instant(nanoseconds: EventLoop.now))
    }
    while let timer, let upcoming, let due = due(upcoming.time) {
      guard due.nanoseconds <= EventLoop.now else { return timer.arm(at: due.nanoseconds) }
      if demand != .off { report(.motion(upcoming.sample), due) }
      readNext()
    }
  }

  private func due(_ time: Instant) -> Instant? {
    playbackStart.map { $0.loop + time.duration(since: $0.trace) }
  }

  private func readNext() {
    // The receiver of the sample may have stopped this.
    guard timer != nil else { return }
    do {
      upcoming = try reader?.next()
      if upcoming == nil {
        end(Message(.traceEnded, "the trace \(path) has ended", next: "restart to replay it"))
      }
    } catch {
      end(
        Message(
          .traceUnreadable, "the rest of the trace \(path) cannot be read (\(error))",
          next: "check that its disk is still connected"))
    }
  }

  private func end(_ reason: Message) {
    let skipped = reader?.diagnostics.lines ?? []
    stop()
    skipped.forEach { notice(Message(.traceUnreadable, $0)) }
    report(.sensorLost(reason), Instant(nanoseconds: EventLoop.now))
  }

  private func firstSample() throws -> (time: Instant, sample: MotionSample) {
    if let sample = try reader?.next() { return sample }
    let first = reader?.diagnostics.first.first
    let problem: Phrase = first.map { "; the first line that could not be read: \($0.phrase)" } ?? ""
    throw Message(
      .traceUnreadable, "the trace \(path) has no samples",
      next: "write one line per sample, \(TraceFormat.seconds.example)\(problem)")
  }

  private static func open(_ path: String) throws -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Message(
        .traceUnreadable, "cannot open the trace \(path) (\(SystemError(call: "open", code: errno).reason))",
        next: "give the path of a readable file")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Message(
        .traceUnreadable, "the trace \(path) is not a regular file", next: "save the stream to a file first")
    }
    return descriptor
  }
}
