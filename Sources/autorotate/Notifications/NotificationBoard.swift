// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// What the desktop should show: nothing, or one thing.
///
/// A suggestion has priority over a fault, and stays as long as Android's. A fault is shown once it has lasted for a
/// while, until it is gone or the user has dismissed it:
///
///     told of ── stands for 5 s ──▶ shown ── put away ──▶ forgotten when it is gone
///                 └─ gone ▶ told of    └── gone ▶ forgotten
struct NotificationBoard {
  enum Content: Equatable {
    case suggestion(InterfaceOrientation)
    case fault(Fault, String)
  }

  private struct Entry {
    let fault: Fault
    let text: String
    /// `nil` while there is none.
    var since: Instant?
    var isPutAway = false

    var due: Instant? { isPutAway ? nil : since.map { $0 + NotificationBoard.patience } }
  }

  /// What has resolved itself by then (a sensor that comes late, a turn that works the second time) need not be
  /// shown.
  static let patience = Duration.seconds(5)

  var showsFaults = true
  private var suggestion: InterfaceOrientation?
  /// At most one of each fault, the newest last.
  private var entries: [Entry] = []
  private var standing: Set<Fault> = []

  /// - Parameter orientation: `nil` takes the suggestion back.
  mutating func suggest(_ orientation: InterfaceOrientation?) {
    suggestion = orientation
  }

  /// Takes note of what may have to be shown. What is no fault is not for here.
  mutating func note(_ message: Message, of fault: Fault?, at now: Instant) {
    guard let fault else { return }
    let text = localized(message)
    guard !entries.contains(where: { $0.fault == fault && $0.text == text }) else { return }
    entries.removeAll { $0.fault == fault }
    entries.append(Entry(fault: fault, text: text, since: standing.contains(fault) ? now : nil))
  }

  mutating func publish(_ status: Status, at now: Instant) {
    var found = Set(status.reasons.compactMap(\.fault))
    let isTurning = status.reasons.contains { if case .rotating = $0 { true } else { false } }
    // Whether the next try goes better is not known before it has ended.
    if isTurning, standing.contains(.turningFailed) { found.insert(.turningFailed) }
    standing = found
    entries.removeAll { entry in
      !found.contains(entry.fault) && (entry.isPutAway || entry.due.map { $0 <= now } ?? false)
    }
    for index in entries.indices {
      let stands = found.contains(entries[index].fault)
      entries[index].since = stands ? entries[index].since ?? now : nil
    }
  }

  /// The person has seen it.
  mutating func putAway(_ content: Content) {
    switch content {
    case .suggestion: suggestion = nil
    case .fault(let fault, let text):
      for index in entries.indices where entries[index].fault == fault && entries[index].text == text {
        entries[index].isPutAway = true
      }
    }
  }

  func content(at now: Instant) -> Content? {
    if let suggestion { return .suggestion(suggestion) }
    guard showsFaults else { return nil }
    let due = entries.last { $0.due.map { $0 <= now } ?? false }
    return due.map { .fault($0.fault, $0.text) }
  }

  /// When the content changes by itself.
  func deadline(after now: Instant) -> Instant? {
    let dues = showsFaults ? entries.compactMap(\.due) : []
    return dues.filter { $0 > now }.min()
  }
}
