// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// Shows the steps of a calibration.
@MainActor
protocol CalibrationOutput {
  var restartHint: Phrase { get }
  /// False once the reader of the output has gone.
  var hasReader: Bool { get }
  mutating func begin(with sensor: String)
  /// Not for `found`: `end` shows the matrix.
  mutating func show(_ step: CalibrationDialogue.Step)
  mutating func remark(_ words: String)
  /// - Parameter gravity: a sample in the sensor's own frame, m/s².
  mutating func show(gravity: Acceleration)
  /// - Parameter lines: what was done with it, for the user.
  mutating func end(with matrix: MountMatrix, _ lines: [String])
}

struct TerminalCalibration: CalibrationOutput {
  let style: TerminalStyle
  let restartHint = CalibrationDialogue.restartKeys
  private(set) var hasReader = true

  mutating func begin(with sensor: String) {
    print(
      localized(
        "How is the accelerometer \(sensor) mounted? Hold the device still in four orientations. Press Enter when\n"
          + "you hold it in the first one. The others are measured automatically after a moment; Enter measures\n"
          + "at once. To start again, type r and press Enter."
      ))
  }

  mutating func show(_ step: CalibrationDialogue.Step) {
    switch step {
    case .ask(let next): print("\n\(next.number)/\(Calibration.Position.allCases.count)  \(next.instruction)")
    case .measured(let a):
      let figures = "x \(a.x.text(decimals: 2)), y \(a.y.text(decimals: 2)), z \(a.z.text(decimals: 2)) m/s²"
      print("     " + localized("measured: \(figures)"))
    case .refused(let why): print("     \(why)")
    case .restart: print("\n" + localized("Start again from the first orientation."))
    case .found: break
    }
  }

  mutating func remark(_ words: String) { print(words) }

  func show(gravity: Acceleration) {}

  mutating func end(with matrix: MountMatrix, _ lines: [String]) {
    print(localized("The mount matrix is \(matrix.text)"))
    for line in lines { print(line) }
  }

  private mutating func print(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) where hasReader {
      hasReader = Console.write(style.shown(String(line)) + "\n")
    }
  }
}

/// For a program: one JSON object per line. The texts for the user are in the user's language.
struct JSONCalibration: CalibrationOutput {
  /// Every fifth sample is sent: five a second.
  private static let sampleInterval = 5
  private var samples = 0
  let restartHint: Phrase = " Hold it as asked, or start again."
  private(set) var hasReader = true

  mutating func begin(with sensor: String) { emit("begin", [("sensor", .string(sensor))]) }

  mutating func show(_ step: CalibrationDialogue.Step) {
    switch step {
    case .ask(let position):
      let count = Calibration.Position.allCases.count
      emit(
        "ask",
        [
          ("hold", .string("\(position)")), ("number", .number(UInt64(position.number))),
          ("of", .number(UInt64(count))), ("words", .string(position.instruction)),
        ])
    case .measured(let gravity): emit("taken", Self.members(gravity))
    case .refused(let why): emit("refused", [("words", .string(why))])
    case .restart: emit("again", [("words", .string(localized("Start again from the first orientation.")))])
    case .found: break
    }
  }

  mutating func remark(_ words: String) { emit("remark", [("words", .string(words))]) }

  mutating func show(gravity: Acceleration) {
    samples = (samples + 1) % Self.sampleInterval
    if samples == 0 { emit("gravity", Self.members(gravity)) }
  }

  mutating func end(with matrix: MountMatrix, _ lines: [String]) {
    emit("found", [("matrix", .string(matrix.text)), ("words", .string(lines.joined(separator: "\n")))])
  }

  private mutating func emit(_ step: String, _ members: [(String, JSON)]) {
    let line = JSON.object([("step", .string(step))] + members).description
    hasReader = Console.write(line + "\n")
  }

  private static func members(_ gravity: Acceleration) -> [(String, JSON)] {
    [("x", .decimal(gravity.x)), ("y", .decimal(gravity.y)), ("z", .decimal(gravity.z))]
  }
}
