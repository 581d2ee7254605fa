// SPDX-License-Identifier: MIT

import Autorotation
import Peers

/// Our judge beside iio-sensor-proxy's rule, on the same samples, and how far they agree.
struct Comparison {
  private(set) var ours: any OrientationJudge = OrientationClassifier()
  private(set) var theirs: any OrientationJudge = PeerRule.sensorProxy.makeJudge()
  private(set) var ourChanges = 0
  private(set) var theirChanges = 0
  private(set) var disagreements = 0
  /// Seconds, without gaps.
  private(set) var disagreed = 0.0
  private(set) var duration = 0.0
  private var latest: Instant?
  private var differed = false

  /// Seconds between two samples after which nobody knows what was between them.
  static let longestGap = 1.0

  /// The first word of each is no change of the picture, but the picture it starts with.
  var differs: Bool {
    ours.held != .unknown && theirs.held != .unknown && ours.held != theirs.held
  }

  /// - Returns: whether either has changed.
  mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    count(until: now)
    let (ourWord, theirWord) = (ours.held, theirs.held)
    let haveWe = ours.add(sample, at: now)
    let haveThey = theirs.add(sample, at: now)
    if haveWe, ourWord != .unknown { ourChanges += 1 }
    if haveThey, theirWord != .unknown { theirChanges += 1 }
    if differs, !differed { disagreements += 1 }
    differed = differs
    return haveWe || haveThey
  }

  private mutating func count(until now: Instant) {
    defer { latest = now }
    guard let latest, case let span = now.seconds(since: latest), span > 0, span <= Self.longestGap else {
      return
    }
    duration += span
    if differed { disagreed += span }
  }
}

/// Prints a comparison: a row for each change of either, and a summary.
final class ComparisonListener: TraceListener {
  private var comparison = Comparison()
  private let clock: TraceClock
  private var hasBegun = false

  init(_ clock: TraceClock) {
    self.clock = clock
  }

  func add(_ sample: MotionSample, at time: Instant) {
    if !hasBegun { say("time", "autorotate", "iio-sensor-proxy", "") }
    hasBegun = true
    guard comparison.add(sample, at: time) else { return }
    let (ours, theirs) = (comparison.ours.held.rawValue, comparison.theirs.held.rawValue)
    say(clock.text(time), ours, theirs, comparison.differs ? "differ" : "")
  }

  func end() {
    let share = comparison.duration > 0 ? 100 * comparison.disagreed / comparison.duration : 0
    Console.say(
      """
      autorotate turned \(times(comparison.ourChanges)), iio-sensor-proxy \(times(comparison.theirChanges)).
      They differed \(times(comparison.disagreements)), for \(comparison.disagreed.text(decimals: 1)) s of \
      \(comparison.duration.text(decimals: 1)) s: \(share.text(decimals: 1)) %.
      """)
  }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private func say(_ time: String, _ ours: String, _ theirs: String, _ remark: String) {
    let line = pad(time, to: -10) + "  " + pad(ours, to: 12) + pad(theirs, to: 18) + remark
    Console.say(String(line.reversed().drop { $0 == " " }.reversed()))
  }

  /// - Parameter width: negative to push the text to the right.
  private func pad(_ text: String, to width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? blanks + text : text + blanks
  }
}
