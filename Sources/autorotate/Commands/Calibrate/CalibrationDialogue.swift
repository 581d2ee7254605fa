// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// The dialogue with the person who calibrates: samples and the Enter key go in, what to say comes out.
///
/// The first orientation is measured when the user presses Enter: only the user knows when the device is held as asked.
/// Each later one is measured automatically once the device is at rest in another orientation than before, near an axis
/// of the sensor, and consistent with the earlier ones. Enter measures it at once, or reports why not.
struct CalibrationDialogue {
  enum Step: Equatable {
    case ask(Calibration.Position)
    case taken(Acceleration)
    /// A sentence; the hold is still to come.
    case refused(String)
    case beginAgain
    case found(MountMatrix)
  }

  /// How the person begins again, behind what was wrong.
  private let wayBack: Phrase
  private var calibration = Calibration()
  private var stillness = SteadyHold(seconds: Self.stillSeconds)
  /// Whether the user has pressed Enter. The press moves the device, so the first orientation is measured once it is at
  /// rest.
  private var hasBegun = false
  private var lastHint = ""

  /// Seconds. Long enough not to accept a hold that the person only passes through.
  private static let stillSeconds = 1.5

  /// On a terminal.
  static let enterKey: Phrase = " Hold it as asked, or press Enter to begin again."

  init(wayBack: Phrase = Self.enterKey) {
    self.wayBack = wayBack
  }

  var hold: Calibration.Position? { calibration.next }

  /// - Parameter raw: in the accelerometer's frame, m/s².
  mutating func add(_ raw: Acceleration, at time: Instant) -> [Step] {
    stillness.add(raw, at: time)
    guard hasBegun, let place = stillness.place else { return [] }
    return accept(place, isWish: false)
  }

  /// The Enter key.
  mutating func confirm() -> [Step] {
    hasBegun = true
    guard let place = stillness.place else {
      return [.refused(localized("The device is not still yet: hold it for a second and a half."))]
    }
    return accept(place, isWish: true)
  }

  /// - Parameter isWish: whether the person asked for it, and so wants to know why not.
  private mutating func accept(_ place: Acceleration, isWish: Bool) -> [Step] {
    guard let hold = calibration.next else { return [] }
    do throws(Calibration.Failure) {
      try calibration.add(hold, place)
    } catch {
      return refuse(error, isWish)
    }
    lastHint = ""
    stillness.begin()
    if let next = calibration.next { return [.taken(place), .ask(next)] }
    return [.taken(place)] + ((try? calibration.matrix()).map { [.found($0)] } ?? [])
  }

  private mutating func refuse(_ failure: Calibration.Failure, _ isWish: Bool) -> [Step] {
    let hint = sentence(failure)
    switch Self.cause(failure) {
    case .earlierHold where isWish:
      self = Self(wayBack: wayBack)
      return [.refused("\(failure.sentence)"), .beginAgain, .ask(.upright)]
    // The device is as it was: that is nothing to complain of before anybody has turned it.
    case .notYetTurned where !isWish: return []
    default: break
    }
    guard isWish || hint != lastHint else { return [] }
    lastHint = hint
    return [.refused(hint)]
  }

  private enum Cause {
    case thisHold, notYetTurned
    /// This hold may be right, and one before it wrong.
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
    let more: Phrase = Self.cause(failure) == .earlierHold ? wayBack : ""
    return failure.sentence + localized(more)
  }
}

extension Calibration.Failure {
  fileprivate var sentence: String {
    let text = "\(self)"
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
