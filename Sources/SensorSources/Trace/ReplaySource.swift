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
  private var player: TracePlayer?

  /// - Parameter notice: called at the end for the lines that were skipped.
  package init(path: String, loop: EventLoop, notice: @escaping (Message) -> Void) {
    self.path = path
    self.loop = loop
    self.notice = notice
  }

  /// - Throws: `Message` if there is no trace at the path, or no sample in it.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    let file = try TraceFile(path: path, descriptor: TraceFile.open(path))
    player = try TracePlayer(file, loop: loop, notice: notice, report: report)
  }

  package func demand(_ demand: SensorDemand) {
    player?.demand(demand)
  }

  package func stop() {
    player?.stop()
    player = nil
  }
}

/// One trace being played.
private final class TracePlayer {
  private var file: TraceFile
  private var upcoming: (time: Instant, sample: MotionSample)
  private let report: (Event, Instant) -> Void
  private let notice: (Message) -> Void
  private var timer: EventTimer?
  private var demand = SensorDemand.off
  private var hasReportedFound = false
  /// The start on the trace's clock and on the loop's; `nil` before the first demand.
  private var playbackStart: (trace: Instant, loop: Instant)?

  init(
    _ file: consuming TraceFile, loop: EventLoop, notice: @escaping (Message) -> Void,
    report: @escaping (Event, Instant) -> Void
  ) throws {
    upcoming = try file.first()
    self.file = file
    self.notice = notice
    self.report = report
    timer = try loop.timer { [weak self] in self?.advance() }
    timer?.arm(at: EventLoop.now)
  }

  func demand(_ demand: SensorDemand) {
    self.demand = demand
    guard playbackStart == nil, demand != .off else { return }
    let now = EventLoop.now
    playbackStart = (upcoming.time, Instant(nanoseconds: now))
    timer?.arm(at: now)
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }

  private func advance() {
    reportFound()
    while let timer, let due {
      guard due.nanoseconds <= EventLoop.now else {
        timer.arm(at: due.nanoseconds)
        return
      }
      play(at: due)
    }
  }

  private var due: Instant? {
    guard let playbackStart else { return nil }
    let span = upcoming.time.nanoseconds.subtractingReportingOverflow(playbackStart.trace.nanoseconds)
    return playbackStart.loop + .nanoseconds(span.overflow ? .max : span.partialValue)
  }

  private func reportFound() {
    guard !hasReportedFound else { return }
    hasReportedFound = true
    report(.sensorFound(name: "trace \(file.path)"), Instant(nanoseconds: EventLoop.now))
  }

  private func play(at moment: Instant) {
    if demand != .off { report(.motion(upcoming.sample), moment) }
    do {
      if let next = try file.reader.next() {
        upcoming = next
      } else {
        end(Message(.traceEnded, "the trace \(file.path) has ended", next: "restart to replay it"))
      }
    } catch {
      end(
        Message(
          .traceUnreadable, "the rest of the trace \(file.path) cannot be read (\(error))",
          next: "check that its disk is still connected"))
    }
  }

  private func end(_ reason: Message) {
    stop()
    file.reader.diagnostics.lines.forEach { notice(Message(.traceUnreadable, $0)) }
    report(.sensorLost(reason), Instant(nanoseconds: EventLoop.now))
  }
}

/// An open trace file.
private struct TraceFile: ~Copyable {
  let path: String
  let descriptor: Int32
  var reader: TraceReader

  /// Does not throw, since Swift 6.2 cannot compile a throwing initializer of a noncopyable type with a `deinit`.
  /// - Parameter descriptor: from `open`; closed with this.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    reader = TraceReader(descriptor: descriptor, name: path, format: .seconds)
  }

  deinit {
    close(descriptor)
  }

  mutating func first() throws -> (time: Instant, sample: MotionSample) {
    if let sample = try reader.next() { return sample }
    let problem: Phrase =
      reader.diagnostics.first.first.map { "; the first line that could not be read: \($0.phrase)" } ?? ""
    throw Message(
      .traceUnreadable, "the trace \(path) has no samples",
      next: "write one line per sample, \(TraceFormat.seconds.example)\(problem)")
  }

  static func open(_ path: String) throws -> Int32 {
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
