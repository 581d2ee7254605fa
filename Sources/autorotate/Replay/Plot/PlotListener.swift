// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Peers

/// Collects what is to be drawn of a trace, and writes the drawing at its end.
final class PlotListener: TraceListener {
  private let path: String
  private var plot: Plot
  private var comparison = Comparison()
  private var rehearsal = Rehearsal()
  private var begin: Instant?
  private var angle = 0.0

  /// - Parameter trace: its name.
  init(path: String, trace: String) {
    self.path = path
    plot = Plot(title: trace)
  }

  func add(_ sample: MotionSample, at time: Instant) {
    let a = sample.acceleration
    let seconds = time.seconds(since: begin ?? time)
    begin = begin ?? time
    guard OrientationClassifier.isPlausible(a), seconds.isFinite else { return }
    plot.bins.add(bin(sample, at: seconds))
    plot.end = seconds
    listen(sample, at: time, seconds)
  }

  private func listen(_ sample: MotionSample, at time: Instant, _ seconds: Double) {
    if comparison.add(sample, at: time) {
      plot.ours.say(comparison.ours.held.rawValue, at: seconds)
      plot.theirs.say(comparison.theirs.held.rawValue, at: seconds)
    }
    rehearsal.play(sample, at: time) { [self] then, status in
      let reasons = status.reasons.map(\.message.description).joined(separator: " ")
      plot.picture.say(status.interface.word, because: reasons, at: then.seconds(since: begin ?? then))
    }
  }

  private func bin(_ sample: MotionSample, at seconds: Double) -> PlotBins.Bin {
    let a = sample.acceleration
    let inPlane = (a.x * a.x + a.y * a.y).squareRoot()
    let tilt = atan2(a.z, inPlane) * 180 / .pi
    let isTelling = abs(tilt) < Plot.flatTilt
    if isTelling { angle += remainder(atan2(a.x, -a.y) * 180 / .pi - angle, 360) }
    return PlotBins.Bin(
      time: seconds, angle: isTelling ? angle : nil, tilt: tilt, magnitude: a.magnitude,
      turning: sample.rate.map { -$0.z * 180 / .pi })
  }

  func end() throws {
    guard begin != nil, !plot.bins.bins.isEmpty else {
      throw Message(.commandFailed, "There is nothing to draw: the trace holds no sample.")
    }
    try write(plot.svg)
  }

  private func write(_ text: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    guard Console.write(text, to: descriptor) else { throw failure() }
  }

  private func failure() -> Message {
    Message(
      .commandFailed,
      "\(path) cannot be written: \(String(cString: strerror(errno))); give a path where there is room")
  }
}
