// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

/// How the steps of a calibration reach the person.
@MainActor
protocol CalibrationVoice {
  var wayBack: Phrase { get }
  /// False once nobody reads the output any more.
  var hasReader: Bool { get }
  mutating func begin(with sensor: String)
  /// Not of the matrix, which is told with what becomes of it.
  mutating func tell(_ step: CalibrationDialogue.Step)
  mutating func remark(_ words: String)
  /// - Parameter gravity: a sample in the sensor's own frame, m/s².
  mutating func feel(_ gravity: Acceleration)
  /// - Parameter lines: what became of it, for the person.
  mutating func end(with matrix: MountMatrix, _ lines: [String])
}

/// On a terminal.
struct SpokenCalibration: CalibrationVoice {
  let style: TerminalStyle
  let wayBack = CalibrationDialogue.enterKey
  private(set) var hasReader = true

  init(style: TerminalStyle) {
    self.style = style
  }

  mutating func begin(with sensor: String) {
    say(
      localized(
        "How is the accelerometer \(sensor) mounted? Hold the device still in four orientations. Press Enter when\n"
          + "you hold it in the first one. The others are measured automatically after a moment, or with Enter."
      ))
  }

  mutating func tell(_ step: CalibrationDialogue.Step) {
    switch step {
    case .ask(let hold): say("\n\(hold.number)/\(Calibration.Position.allCases.count)  \(hold.instruction)")
    case .taken(let a):
      let figures = "x \(a.x.text(decimals: 2)), y \(a.y.text(decimals: 2)), z \(a.z.text(decimals: 2)) m/s²"
      say("     " + localized("taken: \(figures)"))
    case .refused(let why): say("     \(why)")
    case .beginAgain: say("\n" + localized("From the beginning."))
    case .found: break
    }
  }

  mutating func remark(_ words: String) { say(words) }

  func feel(_ gravity: Acceleration) {}

  mutating func end(with matrix: MountMatrix, _ lines: [String]) {
    say(localized("The mount matrix is \(matrix.text)"))
    for line in lines { say(line) }
  }

  private mutating func say(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) where hasReader {
      hasReader = Console.write(style.shown(String(line)) + "\n", to: STDOUT_FILENO)
    }
  }
}

/// For a program that shows it: one JSON object a line. What is for the person is in the person's language.
struct ReportedCalibration: CalibrationVoice {
  /// Of the samples, every fifth: five a second.
  private static let share = 5
  private var samples = 0
  let wayBack: Phrase = " Hold it as asked, or begin again."
  private(set) var hasReader = true

  mutating func begin(with sensor: String) { emit("begin", [("sensor", .string(sensor))]) }

  mutating func tell(_ step: CalibrationDialogue.Step) {
    switch step {
    case .ask(let hold):
      let count = Calibration.Position.allCases.count
      emit(
        "ask",
        [
          ("hold", .string("\(hold)")), ("number", .number(UInt64(hold.number))),
          ("of", .number(UInt64(count))), ("words", .string(hold.instruction)),
        ])
    case .taken(let gravity): emit("taken", Self.members(gravity))
    case .refused(let why): emit("refused", [("words", .string(why))])
    case .beginAgain: emit("again", [("words", .string(localized("From the beginning.")))])
    case .found: break
    }
  }

  mutating func remark(_ words: String) { emit("remark", [("words", .string(words))]) }

  mutating func feel(_ gravity: Acceleration) {
    samples = (samples + 1) % Self.share
    if samples == 0 { emit("gravity", Self.members(gravity)) }
  }

  mutating func end(with matrix: MountMatrix, _ lines: [String]) {
    emit("found", [("matrix", .string(matrix.text)), ("words", .string(lines.joined(separator: "\n")))])
  }

  private mutating func emit(_ step: String, _ members: [(String, JSON)]) {
    let line = JSON.object([("step", .string(step))] + members).description
    hasReader = Console.write(line + "\n", to: STDOUT_FILENO)
  }

  private static func members(_ gravity: Acceleration) -> [(String, JSON)] {
    [("x", .decimal(gravity.x)), ("y", .decimal(gravity.y)), ("z", .decimal(gravity.z))]
  }
}

extension Calibration.Position {
  fileprivate var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
