// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Testing

@testable import autorotate

struct HardwareDatabaseEntryTests {
  static let matrix = MountMatrix(text: "1, 0, 0; 0, -0, -1; 0, 1, 0") ?? .identity

  /// Keys from the upstream database.
  @Test(arguments: [
    (
      "acpi:KIOX0009:KIOX0009:", "dmi:bvnAMI:bvr5:bd01/02/2016:svnAcer:pnOneS1003:pvr1:rvnAcer:rnOne:",
      "sensor:modalias:acpi:KIOX0009*:dmi:*:svnAcer:pnOneS1003:*"
    ),
    ("platform:HID-SENSOR-200073", nil, "sensor:modalias:platform:HID-SENSOR-200073*:*"),
    (
      "i2c:bmc150_accel", "dmi:svnA*B[1]:pnX:", "sensor:modalias:i2c:bmc150_accel*:dmi:*:svnA?B?1?:pnX:*"
    ),
  ])
  func `entries have the syntax of systemd`(_ modalias: String, _ machine: String?, _ key: String) {
    let entry = HardwareDatabaseEntry(modalias: modalias, machine: machine, matrix: Self.matrix)
    #expect(entry.lines.first == "# Matrix in the frame of the panel, which is mounted top-up")
    #expect(entry.lines.dropFirst() == [key, " ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 0, -1; 0, 1, 0"])
  }
}

struct PositionsFileTests {
  @Test func `a file that cannot be opened is reported with its reason`() {
    let failure = #expect(throws: Message.self) { try PositionsFile(path: "/nowhere/positions") }
    let reason = String(cString: strerror(ENOENT))
    #expect(failure?.description.contains("/nowhere/positions: \(reason)") == true)
  }

  @Test func `reads four lines`() throws {
    let text = "# mine\n0,-9.81,0\n9.81 0 0 # left\n\n0,9.81,0\r\n0,\t0,9.81"
    let file = try PositionsFile(text: text, name: "x")
    #expect(file.means.map(\.x) == [0, 9.81, 0, 0])
    #expect(file.means[3] == Acceleration(x: 0, y: 0, z: 9.81))
  }

  @Test(arguments: ["", "0,0,1\n", "0,0\n", "a,b,c", "nan,0,0", "1,2,3,4", "\u{0}"])
  func `other texts are refused`(_ text: String) {
    let failure = #expect(throws: Message.self) { try PositionsFile(text: text, name: "positions") }
    #expect(failure?.status == .usage)
  }
}

struct CalibrationDialogueTests {
  private static let positions = [
    Acceleration(x: 0, y: -9.81, z: 0), Acceleration(x: 9.81, y: 0, z: 0), Acceleration(x: 0, y: 9.81, z: 0),
    Acceleration(x: 0, y: 0, z: 9.81),
  ]

  /// A dialogue in simulated time, 25 samples per second.
  private struct Session {
    var dialogue = CalibrationDialogue()
    var seconds = 0.0
    var steps: [CalibrationDialogue.Step] = []

    mutating func hold(_ a: Acceleration, for span: Double) {
      let end = seconds + span
      while seconds < end {
        steps += dialogue.add(a, at: Instant(seconds: seconds))
        seconds += 0.04
      }
    }

    /// The first orientation, and the Enter key.
    mutating func begin(_ a: Acceleration) {
      hold(a, for: 2)
      steps += dialogue.confirm()
    }

    var matrix: MountMatrix? {
      if case .found(let matrix) = steps.last { matrix } else { nil }
    }

    var refusals: [String] {
      steps.compactMap { if case .refused(let why) = $0 { why } else { nil } }
    }
  }

  @Test func `only the first orientation needs the Enter key`() {
    var session = Session()
    session.begin(Self.positions[0])
    for position in Self.positions.dropFirst() { session.hold(position, for: 2) }
    #expect(session.matrix == .identity)
    #expect(session.refusals == [])
  }

  @Test func `nothing is measured before the Enter key`() {
    var session = Session()
    session.hold(Self.positions[0], for: 30)
    #expect(session.steps == [])
    session.steps += session.dialogue.confirm()
    #expect(session.steps == [.measured(Self.positions[0]), .ask(.leftEdgeUp)])
  }

  @Test func `a device that Enter has moved is measured at rest`() {
    var session = Session()
    for step in 0..<100 { session.hold(Acceleration(x: Double(step % 10), y: -9, z: 0), for: 0.04) }
    session.steps += session.dialogue.confirm()
    #expect(session.refusals.count == 1)
    session.hold(Self.positions[0], for: 3)
    #expect(session.steps.dropFirst() == [.measured(Self.positions[0]), .ask(.leftEdgeUp)])
  }

  @Test func `an orientation that does not change is measured once`() {
    var session = Session()
    session.begin(Self.positions[0])
    session.hold(Self.positions[0], for: 30)
    #expect(session.dialogue.position == .leftEdgeUp)
    #expect(session.refusals == [])
    #expect(session.dialogue.confirm() != [])
  }

  /// Gravity is then at a right angle to that of the first orientation, and not opposite as it should be.
  @Test(arguments: 1...3)
  func `nothing is reported before the device has moved`(_ count: Int) {
    var session = Session()
    session.begin(Self.positions[0])
    for position in Self.positions[1..<count] { session.hold(position, for: 2) }
    session.hold(Self.positions[count - 1], for: 30)
    #expect(session.dialogue.position == Calibration.Position.allCases[count])
    #expect(session.refusals == [])
  }

  @Test func `an earlier orientation on the way is not reported`() {
    var session = Session()
    session.begin(Self.positions[0])
    for position in [1, 0, 2, 1, 0, 3] { session.hold(Self.positions[position], for: 5) }
    #expect(session.matrix == .identity)
    #expect(session.refusals == [])
  }

  @Test func `a device that sinks back a little is not reported`() {
    var session = Session()
    session.begin(Acceleration(x: 0, y: -8.89, z: 4.15))
    session.hold(Acceleration(x: 0, y: -7.51, z: 6.31), for: 10)
    #expect(session.refusals == [])
  }

  @Test func `an invalid measurement is reported once`() {
    var session = Session()
    session.begin(Acceleration(x: 0, y: -4, z: 0))
    session.hold(Acceleration(x: 0, y: -4, z: 0), for: 20)
    #expect(session.refusals.count == 1)
    #expect(session.refusals[0].contains("far from g"))
    session.hold(Acceleration(x: 0, y: -7, z: 7), for: 20)
    #expect(session.refusals.count == 2)
    #expect(session.refusals[1].contains("45° off"))
  }

  @Test func `enter while moving is refused`() {
    var session = Session()
    for step in 0..<100 { session.hold(Acceleration(x: Double(step % 10), y: -9, z: 0), for: 0.04) }
    #expect(
      session.dialogue.confirm() == [
        .refused("The device is not at rest. Hold it still for a second and a half.")
      ])
  }

  @Test func `enter never starts again`() {
    var session = Session()
    session.begin(Self.positions[0])
    session.hold(Self.positions[1], for: 2)
    session.hold(Self.positions[3], for: 5)
    #expect(session.refusals.count == 1)
    #expect(session.refusals[0].contains("contradict each other"))
    session.steps += session.dialogue.confirm()
    #expect(session.dialogue.position == .upsideDown)
    #expect(session.refusals.count == 2)
  }

  /// The device lay flat on the table and was measured as left edge up.
  @Test func `a wrong measurement can be repeated`() {
    var session = Session()
    session.begin(Self.positions[0])
    session.hold(Self.positions[3], for: 3)
    session.hold(Self.positions[2], for: 3)
    session.hold(Self.positions[3], for: 3)
    #expect(session.refusals == [])
    session.steps += session.dialogue.confirm()
    #expect(session.dialogue.position == .faceUp)
    #expect(session.refusals.last?.contains("To start again, type r and press Enter.") == true)
    session.steps += session.dialogue.restart()
    #expect(session.steps.suffix(2) == [.restart, .ask(.upright)])
    session.begin(Self.positions[0])
    for position in Self.positions.dropFirst() { session.hold(position, for: 2) }
    #expect(session.matrix == .identity)
  }
}
