// SPDX-License-Identifier: MIT

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
