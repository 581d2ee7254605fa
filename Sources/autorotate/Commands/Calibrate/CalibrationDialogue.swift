// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

/// The dialogue with the user who calibrates: samples and the Enter key go in, steps to show come out.
///
/// The first orientation is measured when the user presses Enter: only the user knows when the device is held as asked.
/// Each later one is measured automatically once the device is at rest in an orientation unlike those already measured,
/// near an axis of the sensor, and consistent with the earlier ones. Until then nothing is reported. Enter measures it
/// at once, or reports why not; another key starts again.
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
  static let restartKeys: Phrase = " Hold it as asked. To start again, type r and press Enter."

  init(restartHint: Phrase = Self.restartKeys) { self.restartHint = restartHint }

  /// The orientation to measure next; `nil` at the end.
  var position: Calibration.Position? { calibration.next }

  /// - Parameter raw: in the accelerometer's frame, m/s².
  mutating func add(_ raw: Acceleration, at time: Instant) -> [Step] {
    steadiness.add(raw, at: time)
    guard hasBegun, let mean = steadiness.steadyMean, !calibration.isNearMeasured(mean) else { return [] }
    return accept(mean, isRequested: false)
  }

  /// The Enter key.
  mutating func confirm() -> [Step] {
    hasBegun = true
    guard let mean = steadiness.steadyMean else {
      return [.refused(localized("The device is not at rest. Hold it still for a second and a half."))]
    }
    return accept(mean, isRequested: true)
  }

  /// Forgets all measurements. Enter begins, as at the start.
  mutating func restart() -> [Step] {
    self = Self(restartHint: restartHint)
    return [.restart, .ask(.upright)]
  }

  /// - Parameter isRequested: whether the user pressed Enter, so that a refusal is always reported.
  private mutating func accept(_ mean: Acceleration, isRequested: Bool) -> [Step] {
    guard let position = calibration.next else { return [] }
    do throws(Calibration.Failure) {
      try calibration.add(position, mean)
    } catch {
      let hint = sentence(error)
      guard isRequested || hint != lastHint else { return [] }
      lastHint = hint
      return [.refused(hint)]
    }
    lastHint = ""
    steadiness.restart()
    if let next = calibration.next { return [.measured(mean), .ask(next)] }
    return [.measured(mean)] + ((try? calibration.matrix()).map { [.found($0)] } ?? [])
  }

  /// This orientation may be right, and an earlier one wrong.
  private static func mayBeEarlier(_ failure: Calibration.Failure) -> Bool {
    switch failure {
    case .sameDirection(let position, let earlier): position.number != earlier.number + 1
    case .contradictory: true
    case .notGravity, .betweenAxes, .incomplete: false
    }
  }

  private func sentence(_ failure: Calibration.Failure) -> String {
    let more: Phrase = Self.mayBeEarlier(failure) ? restartHint : ""
    let text = "\(failure)"
    return "\(text.prefix(1).uppercased())\(text.dropFirst()).\(localized(more))"
  }
}

extension Calibration.Position {
  /// Of the step, from 1.
  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  var instruction: String { localized(words.instruction) }

  /// As in "with the left edge up".
  var name: String { localized(words.name) }

  private var words: (instruction: Phrase, name: Phrase) {
    switch self {
    case .upright: ("Upright, as on a desk: the top edge up, the screen facing you.", "upright")
    case .leftEdgeUp: ("On its side, with the left edge of the screen up.", "with the left edge up")
    case .upsideDown: ("Upside down, with the top edge down.", "upside down")
    case .faceUp: ("Flat on a table, with the screen up.", "flat with the screen up")
    }
  }
}

extension Calibration.Failure: CustomStringConvertible {
  /// A sentence with the next step.
  package var description: String { localized(phrase) }

  private var phrase: Phrase {
    switch self {
    case .notGravity(let position, let magnitude) where Calibration.zeros.contains(magnitude):
      "\(position.name), the sensor reports only zeros: suspend and resume, or reload its driver"
    case .notGravity(let position, let magnitude):
      "|a| \(position.name) is \(magnitude.text(decimals: 1)) m/s², far from g (9.81): hold the device still. If it "
        + "stays so, the sensor's scale is wrong, which no matrix can correct (see: autorotate doctor)"
    case .betweenAxes(let position, let cosine):
      "\(position.name), gravity is \((acos(cosine) * 180 / .pi).text(decimals: 0))° off the nearest axis of the "
        + "sensor: hold it straighter"
    case .sameDirection(let position, let earlier):
      "\(position.name), the sensor measures the same as \(earlier.name): rotate the device further"
    case .contradictory(let position, let earlier):
      "the values \(position.name) and \(earlier.name) contradict each other: one of the two was held differently"
    case .incomplete: "all four orientations are needed"
    }
  }
}
