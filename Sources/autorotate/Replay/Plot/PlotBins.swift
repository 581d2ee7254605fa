// SPDX-License-Identifier: MIT

import Autorotation

/// The course of a few numbers over a trace of any length, in bounded memory: a bin for each stretch of
/// time with the first, least, greatest and last value. When the bins run out, two become one.
struct PlotBins {
  /// One for each pixel of the drawing, about.
  static let maximum = 1000

  /// What happened to one number within a bin.
  struct Course {
    private(set) var first: Double
    private(set) var low: Double
    private(set) var high: Double
    private(set) var last: Double

    init(_ value: Double) {
      (first, low, high, last) = (value, value, value, value)
    }

    mutating func append(_ later: Self) {
      low = min(low, later.low)
      high = max(high, later.high)
      last = later.last
    }

    static func joined(_ earlier: Self?, _ later: Self?) -> Self? {
      guard var joined = earlier, let later else { return earlier ?? later }
      joined.append(later)
      return joined
    }
  }

  struct Bin {
    /// Seconds from the first sample of the trace.
    private(set) var begin: Double
    private(set) var end: Double
    /// Degrees turned clockwise from normal, unwound; `nil` while there is no telling: 90 is left-up.
    private(set) var angle: Course?
    /// Degrees that the screen looks up: 90 is face-up.
    private(set) var tilt: Course
    /// |a|, m/s².
    private(set) var magnitude: Course
    /// How quickly the gyroscope sees the angle rise, degrees a second; `nil` without one.
    private(set) var turning: Course?

    init(time: Double, angle: Double?, tilt: Double, magnitude: Double, turning: Double? = nil) {
      (begin, end) = (time, time)
      self.angle = angle.map(Course.init)
      self.tilt = Course(tilt)
      self.magnitude = Course(magnitude)
      self.turning = turning.map(Course.init)
    }

    mutating func append(_ later: Self) {
      end = later.end
      tilt.append(later.tilt)
      magnitude.append(later.magnitude)
      angle = Course.joined(angle, later.angle)
      turning = Course.joined(turning, later.turning)
    }
  }

  /// In order of time; bins without samples are left out.
  private(set) var bins: [Bin] = []
  /// Of each of `bins`, which stretch of time it is.
  private var numbers: [Int] = []
  /// Seconds.
  private var width = 0.001

  init() {
    bins.reserveCapacity(Self.maximum)
    numbers.reserveCapacity(Self.maximum)
  }

  /// - Parameter bin: one sample, not earlier than those before; its time is zero or more.
  mutating func add(_ bin: Bin) {
    while bin.begin / width >= Double(Self.maximum) { halve() }
    append(bin, number: Int(bin.begin / width))
  }

  private mutating func halve() {
    width *= 2
    let (old, oldNumbers) = (bins, numbers)
    bins.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    for (bin, number) in zip(old, oldNumbers) { append(bin, number: number / 2) }
  }

  private mutating func append(_ bin: Bin, number: Int) {
    if numbers.last == number {
      bins[bins.count - 1].append(bin)
    } else {
      bins.append(bin)
      numbers.append(number)
    }
  }
}

/// What was said over time, in bounded memory: of a trace with too many changes, the shortest answers
/// are left out.
struct PlotSpans {
  /// Far more than can be told apart in a drawing.
  static let maximum = 1000

  struct Span: Equatable {
    /// Seconds from the first sample of the trace; it lasts until the next begins.
    let begin: Double
    /// As a word of traces: "left-up", or "left" for the picture.
    let word: String
    /// Why, for the person.
    let reason: String

    fileprivate func says(as other: Span?) -> Bool {
      word == other?.word && reason == other?.reason
    }
  }

  private(set) var spans: [Span] = []
  private var shortest = 0.001

  mutating func say(_ word: String, because reason: String = "", at time: Double) {
    let span = Span(begin: time, word: word, reason: reason)
    guard !span.says(as: spans.last) else { return }
    while spans.count >= Self.maximum { thin() }
    if !span.says(as: spans.last) { spans.append(span) }
  }

  private mutating func thin() {
    shortest *= 2
    let old = spans
    spans.removeAll(keepingCapacity: true)
    for (index, span) in old.enumerated() {
      let isLast = index + 1 == old.count
      guard isLast || old[index + 1].begin - span.begin >= shortest else { continue }
      if !span.says(as: spans.last) { spans.append(span) }
    }
  }
}
