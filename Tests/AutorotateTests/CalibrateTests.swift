// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Testing

@testable import autorotate

struct HardwareDatabaseEntryTests {
  static let matrix = MountMatrix(text: "1, 0, 0; 0, -0, -1; 0, 1, 0") ?? .identity

  /// As people have written them upstream.
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
  func keys(_ modalias: String, _ machine: String?, _ key: String) {
    let entry = HardwareDatabaseEntry(modalias: modalias, machine: machine, matrix: Self.matrix)
    #expect(entry.lines.first == "# Matrix in the frame of the panel, which is mounted top-up")
    #expect(entry.lines.dropFirst() == [key, " ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 0, -1; 0, 1, 0"])
  }
}

struct HoldsFileTests {
  @Test func readsFourLines() throws {
    let file = try HoldsFile(text: "# mine\n0,-9.81,0\n9.81 0 0 # left\n\n0,9.81,0\r\n0,\t0,9.81", name: "x")
    #expect(file.means.map(\.x) == [0, 9.81, 0, 0])
    #expect(file.means[3] == Acceleration(x: 0, y: 0, z: 9.81))
  }

  @Test(arguments: ["", "0,0,1\n", "0,0\n", "a,b,c", "nan,0,0", "1,2,3,4", "\u{0}"])
  func refusesTheRest(_ text: String) {
    let failure = #expect(throws: Message.self) { try HoldsFile(text: text, name: "holds") }
    #expect(failure?.status == .usage)
  }
}

struct CalibrationDialogueTests {
  private static let holds = [
    Acceleration(x: 0, y: -9.81, z: 0), Acceleration(x: 9.81, y: 0, z: 0), Acceleration(x: 0, y: 9.81, z: 0),
    Acceleration(x: 0, y: 0, z: 9.81),
  ]

  /// A talk in a time of its own, 25 samples a second.
  private struct Talk {
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
    var talk = Talk()
    talk.begin(Self.holds[0])
    for hold in Self.holds.dropFirst() { talk.hold(hold, for: 2) }
    #expect(talk.matrix == .identity)
    #expect(talk.refusals == [])
  }

  @Test func `nothing is measured before the Enter key`() {
    var talk = Talk()
    talk.hold(Self.holds[0], for: 30)
    #expect(talk.steps == [])
    talk.steps += talk.dialogue.confirm()
    #expect(talk.steps == [.taken(Self.holds[0]), .ask(.leftEdgeUp)])
  }

  @Test func `a device that Enter has moved is measured at rest`() {
    var talk = Talk()
    for step in 0..<100 { talk.hold(Acceleration(x: Double(step % 10), y: -9, z: 0), for: 0.04) }
    talk.steps += talk.dialogue.confirm()
    #expect(talk.refusals.count == 1)
    talk.hold(Self.holds[0], for: 3)
    #expect(talk.steps.dropFirst() == [.taken(Self.holds[0]), .ask(.leftEdgeUp)])
  }

  @Test func `an orientation that does not change is measured once`() {
    var talk = Talk()
    talk.begin(Self.holds[0])
    talk.hold(Self.holds[0], for: 30)
    #expect(talk.dialogue.hold == .leftEdgeUp)
    #expect(talk.refusals == [])
    #expect(talk.dialogue.confirm() != [])
  }

  @Test func whatCannotBeTakenIsToldOnce() {
    var talk = Talk()
    talk.begin(Acceleration(x: 0, y: -4, z: 0))
    talk.hold(Acceleration(x: 0, y: -4, z: 0), for: 20)
    #expect(talk.refusals.count == 1)
    #expect(talk.refusals[0].contains("far from g"))
    talk.hold(Acceleration(x: 0, y: -7, z: 7), for: 20)
    #expect(talk.refusals.count == 2)
    #expect(talk.refusals[1].contains("45° off"))
  }

  @Test func enterWhileMovingIsRefused() {
    var talk = Talk()
    for step in 0..<100 { talk.hold(Acceleration(x: Double(step % 10), y: -9, z: 0), for: 0.04) }
    #expect(
      talk.dialogue.confirm() == [.refused("The device is not still yet: hold it for a second and a half.")])
  }

  /// Flat on the table while reading, which was taken for the left edge up.
  @Test func aWrongHoldCanBeMended() {
    var talk = Talk()
    talk.begin(Self.holds[0])
    talk.hold(Self.holds[3], for: 3)
    talk.hold(Self.holds[2], for: 3)
    talk.hold(Self.holds[3], for: 3)
    #expect(talk.dialogue.hold == .faceUp)
    #expect(talk.refusals.last?.contains("press Enter to begin again") == true)
    talk.steps += talk.dialogue.confirm()
    #expect(talk.steps.last == .ask(.upright))
    talk.begin(Self.holds[0])
    for hold in Self.holds.dropFirst() { talk.hold(hold, for: 2) }
    #expect(talk.matrix == .identity)
  }
}
