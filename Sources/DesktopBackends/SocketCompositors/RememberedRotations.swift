// SPDX-License-Identifier: MIT

import Autorotation

/// The last rotation of each output, to restore it when the compositor has reloaded its configuration, which resets
/// outputs without anyone having asked for it.
struct RememberedRotations {
  /// After this many attempts an output is left as it is.
  private static let maximumAttempts = 3

  private let settleTime: Int64
  private var rotations: [String: DisplayTransform] = [:]
  private var readAt: Int64?
  private var attempts: [String: Int] = [:]

  /// - Parameter settleTime: longer than the compositor takes to reset the outputs, in nanoseconds.
  init(settleTime: Int64) {
    self.settleTime = settleTime
  }

  mutating func remember(_ transform: DisplayTransform, of output: String) {
    rotations[output] = transform
  }

  /// - Parameter now: nanoseconds, on any clock.
  mutating func configurationWasRead(now: Int64) {
    readAt = now
    attempts = [:]
  }

  /// The rotations that the reload has reset. A change at any other time is the user's, and stays.
  /// - Parameter panels: outputs to be rotated that are not built in.
  mutating func lost(in outputs: [Output], panels: [String] = [], now: Int64) -> [PanelRotation] {
    let lit = outputs.filter(\.isActive)
    let lost = lit.filter { output in rotations[output.name].map { $0 != output.transform } ?? false }
    guard let readAt, now < readAt + settleTime else {
      adopt(lit, changed: lost, panels)
      return []
    }
    return lost.compactMap { output in
      attempts[output.name, default: 0] += 1
      guard attempts[output.name, default: 0] <= Self.maximumAttempts else { return nil }
      return rotations[output.name].map { PanelRotation(output.name, to: $0) }
    }
  }

  /// A panel is restored even if it was rotated before this program started, or by another.
  private mutating func adopt(_ lit: [Output], changed: [Output], _ panels: [String]) {
    for output in changed { rotations[output.name] = nil }
    for output in lit where output.isBuiltIn || panels.contains(output.name) {
      rotations[output.name] = output.transform
    }
  }
}
