// SPDX-License-Identifier: MIT

import Autorotation

/// Performs rotations one after the other, none from within the call that requests it.
final class RotationQueue {
  typealias Completion = (Result<Void, Message>) -> Void

  private let report: Reporter
  private let nextPass: NextLoopPass
  private let steps = StepQueue()

  init(_ report: Reporter, _ nextPass: NextLoopPass) {
    self.report = report
    self.nextPass = nextPass
  }

  var isBusy: Bool { steps.isBusy }

  /// - Parameters:
  ///   - completion: receives the result before the next rotation begins.
  ///   - rotation: calls its argument when it has ended, or throws.
  func add(
    _ rotations: [PanelRotation], _ completion: @escaping Completion,
    _ rotation: @escaping (@escaping Completion) throws -> Void
  ) {
    steps.add { [weak self] in
      let finish: Completion = { result in
        if case .success = result { self?.report.rotated(rotations) }
        completion(result)
        self?.steps.next()
      }
      do {
        try rotation(finish)
      } catch {
        let failure =
          error as? Message ?? Message(.rotationRefused, "\(rotations.names) was not rotated (\(error))")
        self?.nextPass { finish(.failure(failure)) }
      }
    }
  }
}

extension [PanelRotation] {
  /// "eDP-1, eDP-2"
  nonisolated var names: String { map(\.output).joined(separator: ", ") }
}

/// Messages that more than one backend uses.
extension Message {
  static func noSuchOutput(_ name: String, among names: [String]) -> Self {
    let known: Phrase =
      names.isEmpty ? "no output is connected" : "connected: \(names.joined(separator: ", "))"
    return Self(
      .outputUnknown, "there is no output “\(name)” (\(known))",
      next: "check `output` in the [display] settings")
  }

  static func switchedOff(_ name: String, next: Phrase) -> Self {
    Self(.outputBlanked, "\(name) is switched off", next: next)
  }

  /// A rotation of a blanked output might switch it on, so it is refused.
  static func isBlanked(_ name: String) -> Self {
    Self(.outputBlanked, "\(name) is blanked", next: "autorotate rotates it when it is on again")
  }

  static func unplugged(_ name: String) -> Self {
    Self(.outputUnplugged, "\(name) was unplugged during its rotation", next: "plug it in and try again")
  }
}
