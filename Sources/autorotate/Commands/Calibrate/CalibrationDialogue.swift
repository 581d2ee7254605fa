// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// The dialogue with the user who calibrates: samples and the Enter key go in, steps to show come out.
///
/// The first orientation is measured when the user presses Enter: only the user knows when the device is held as asked.
/// Each later one is measured automatically once the device is at rest in another orientation than before, near an axis
/// of the sensor, and consistent with the earlier ones. Enter measures it at once, or reports why not.
struct CalibrationDialogue {
  enum Step: Equatable {
    case ask(Calibration.Position)
    case measured(Acceleration)
    /// The reason, as a sentence; the orientation is still to be measured.
    case refused(String)
    case restart
    case found(MountMatrix)
  }

  /// How to start again, appended to the reason.
  private let restartHint: Phrase
  private var calibration = Calibration()
  private var steadiness = SteadyPositionDetector(seconds: Self.stillSeconds)
  /// Whether the user has pressed Enter. The press moves the device, so the first orientation is measured once it is at
  /// rest.
  private var hasBegun = false
  private var lastHint = ""

  /// Seconds. Long enough not to measure an orientation that the device only passes through.
  private static let stillSeconds = 1.5

  /// On a terminal.
  static let enterKey: Phrase = " Hold it as asked, or press Enter to start again."

  init(restartHint: Phrase = Self.enterKey) {
    self.restartHint = restartHint
  }

  var hold: Calibration.Position? { calibration.next }

  /// - Parameter raw: in the accelerometer's frame, m/s².
  mutating func add(_ raw: Acceleration, at time: Instant) -> [Step] {
    steadiness.add(raw, at: time)
    guard hasBegun, let place = steadiness.place else { return [] }
    return accept(place, isRequested: false)
  }

  /// The Enter key.
  mutating func confirm() -> [Step] {
    hasBegun = true
    guard let place = steadiness.place else {
      return [.refused(localized("The device is not at rest. Hold it still for a second and a half."))]
    }
    return accept(place, isRequested: true)
  }

  /// - Parameter isRequested: whether the user pressed Enter, so that a refusal is always reported.
  private mutating func accept(_ place: Acceleration, isRequested: Bool) -> [Step] {
    guard let hold = calibration.next else { return [] }
    do throws(Calibration.Failure) {
      try calibration.add(hold, place)
    } catch {
      return refuse(error, isRequested)
    }
    lastHint = ""
    steadiness.begin()
    if let next = calibration.next { return [.measured(place), .ask(next)] }
    return [.measured(place)] + ((try? calibration.matrix()).map { [.found($0)] } ?? [])
  }

  private mutating func refuse(_ failure: Calibration.Failure, _ isRequested: Bool) -> [Step] {
    let hint = sentence(failure)
    switch Self.cause(failure) {
    case .earlierHold where isRequested:
      self = Self(restartHint: restartHint)
      return [.refused("\(failure.sentence)"), .restart, .ask(.upright)]
    // The device has not moved yet: report nothing unless asked.
    case .notYetTurned where !isRequested: return []
    default: break
    }
    guard isRequested || hint != lastHint else { return [] }
    lastHint = hint
    return [.refused(hint)]
  }

  private enum Cause {
    case thisHold, notYetTurned
    /// This orientation may be right, and an earlier one wrong.
    case earlierHold
  }

  private static func cause(_ failure: Calibration.Failure) -> Cause {
    switch failure {
    case .alike(let hold, let earlier):
      let all = Calibration.Position.allCases
      let isNext = all.firstIndex(of: hold) == all.firstIndex(of: earlier).map { $0 + 1 }
      return isNext ? .notYetTurned : .earlierHold
    case .contradictory: return .earlierHold
    case .notGravity, .betweenAxes, .incomplete: return .thisHold
    }
  }

  private func sentence(_ failure: Calibration.Failure) -> String {
    let more: Phrase = Self.cause(failure) == .earlierHold ? restartHint : ""
    return failure.sentence + localized(more)
  }
}

extension Calibration.Failure {
  fileprivate var sentence: String {
    let text = "\(self)"
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
