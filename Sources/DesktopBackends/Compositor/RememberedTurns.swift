// SPDX-License-Identifier: MIT

import Autorotation

/// How outputs were turned last, to turn them so again when the compositor has read its configuration anew:
/// that puts them back without anybody having meant it.
struct RememberedTurns {
  /// Longer than compositors take to put the outputs back, in nanoseconds.
  static let settling: Int64 = 1_000_000_000

  typealias Turn = (output: String, transform: DisplayTransform)

  private var turns: [String: DisplayTransform] = [:]
  private var settlesAt = Int64.min

  mutating func remember(_ transform: DisplayTransform, of output: String) {
    turns[output] = transform
  }

  /// - Parameter now: nanoseconds, on any clock.
  mutating func configurationWasRead(now: Int64) {
    settlesAt = now + Self.settling
  }

  /// What was lost by that. What is otherwise, and not by that, somebody has turned: then so it stays.
  mutating func lost(in outputs: [Output], now: Int64) -> [Turn] {
    let others = turns.filter { turn in
      outputs.contains { $0.name == turn.key && $0.isActive && $0.transform != turn.value }
    }
    guard now >= settlesAt else { return others.map { ($0.key, $0.value) } }
    for output in others.keys { turns[output] = nil }
    return []
  }
}

extension DesktopBackend {
  /// Nobody asked for these just now, so nobody but the person is to be told what became of them.
  func turnAgain(_ turns: [RememberedTurns.Turn], note: @escaping (String) -> Void) {
    for turn in turns {
      apply(turn.transform, to: turn.output) { result in
        if case .failure(let failure) = result { note(failure.description) }
      }
    }
  }
}
