// SPDX-License-Identifier: MIT

import Autorotation

/// How outputs were turned last, to turn them so again when the compositor has read its configuration anew:
/// that puts them back without anybody having meant it.
struct RememberedTurns {
  typealias Turn = (output: String, transform: DisplayTransform)

  /// Longer than compositors take to put the outputs back, in nanoseconds.
  private static let settling: Int64 = 1_000_000_000
  /// What cannot be turned again by then is left as it is.
  private static let mostAttempts = 3

  private let looks: [Int64]
  private var turns: [String: DisplayTransform] = [:]
  private var readAt: Int64?
  private var attempts: [String: Int] = [:]

  /// - Parameter looks: when to look whether outputs were put back, in nanoseconds after the configuration was read,
  ///   for compositors that say so first, and tell nothing of the outputs.
  init(looks: [Int64] = []) {
    self.looks = looks
  }

  mutating func remember(_ transform: DisplayTransform, of output: String) {
    turns[output] = transform
  }

  /// - Parameter now: nanoseconds, on any clock.
  mutating func configurationWasRead(now: Int64) {
    readAt = now
    attempts = [:]
  }

  /// When to look again whether something was lost by that.
  func nextLook(after now: Int64) -> Int64? {
    readAt.flatMap { start in looks.map { start + $0 }.first { $0 > now } }
  }

  /// What was lost by that. What is otherwise, and not by that, somebody has turned: then so it stays.
  /// - Parameter panels: what may be turned here without being built in.
  mutating func lost(in outputs: [Output], panels: [String] = [], now: Int64) -> [Turn] {
    let lit = outputs.filter(\.isActive)
    let lost = lit.filter { output in turns[output.name].map { $0 != output.transform } ?? false }
    guard isSettling(now) else {
      adopt(lit, changed: lost, panels)
      return []
    }
    return lost.compactMap { output in
      attempts[output.name, default: 0] += 1
      guard attempts[output.name, default: 0] <= Self.mostAttempts else { return nil }
      return turns[output.name].map { (output.name, $0) }
    }
  }

  private func isSettling(_ now: Int64) -> Bool {
    readAt.map { now < $0 + (looks.last ?? 0) + Self.settling } ?? false
  }

  /// A panel is put back even if it was turned before this program began, or by somebody else.
  private mutating func adopt(_ lit: [Output], changed: [Output], _ panels: [String]) {
    for output in changed { turns[output.name] = nil }
    for output in lit where output.isBuiltIn || panels.contains(output.name) {
      turns[output.name] = output.transform
    }
  }
}

extension DesktopBackend {
  /// Nobody asked for these just now, so nobody but the person is to be told what became of them.
  func turnAgain(_ turns: [RememberedTurns.Turn], note: @escaping (Message) -> Void) {
    for turn in turns {
      apply(turn.transform, to: turn.output) { result in
        if case .failure(let failure) = result { note(failure) }
      }
    }
  }
}
