// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct AccelerometerCandidateTests {
  private typealias Candidate = AccelerometerCandidate

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let candidates: [AccelerometerCandidate]
    let chosen: String?
  }

  static let cases = [
    Case(testDescription: "none at all", candidates: [], chosen: nil),
    Case(
      testDescription: "one without a location", candidates: [.init(id: "iio:device3")], chosen: "iio:device3"
    ),
    Case(
      testDescription: "ChromeOS convertible: base first",
      candidates: [
        .init(id: "iio:device0", label: "accel-base"), .init(id: "iio:device1", label: "accel-display"),
      ], chosen: "iio:device1"),
    Case(
      testDescription: "older ChromeOS driver: location",
      candidates: [.init(id: "iio:device0", location: "lid"), .init(id: "iio:device1", location: "base")],
      chosen: "iio:device0"),
    Case(
      testDescription: "a label has precedence over none",
      candidates: [.init(id: "iio:device0"), .init(id: "iio:device1", label: "accel-display")],
      chosen: "iio:device1"),
    Case(
      testDescription: "hwdb overrides a wrong label",
      candidates: [
        .init(id: "iio:device0", label: "accel-display", udevLocation: "base"), .init(id: "iio:device1"),
      ], chosen: "iio:device1"),
    Case(
      testDescription: "two without a location: the first, in the kernel's order, not the last found",
      candidates: [.init(id: "iio:device10"), .init(id: "iio:device2"), .init(id: "iio:device3")],
      chosen: "iio:device2"),
    Case(
      testDescription: "two in the display: the first",
      candidates: ["0", "10", "2"].map { .init(id: "iio:device\($0)", label: "accel-display") },
      chosen: "iio:device0"),
    Case(
      testDescription: "an axis is missing",
      candidates: [.init(id: "iio:device0", hasThreeAxes: false), .init(id: "iio:device1")],
      chosen: "iio:device1"),
    Case(
      testDescription: "a gamepad is plugged in",
      candidates: [.init(id: "iio:device0", isInJoypad: true), .init(id: "iio:device1")],
      chosen: "iio:device1"),
    Case(
      testDescription: "only a base",
      candidates: [.init(id: "iio:device0", udevLocation: "base")], chosen: nil),
    Case(
      testDescription: "an unknown label is ignored",
      candidates: [.init(id: "iio:device0", label: "accel-camera", location: "lid")], chosen: "iio:device0"),
  ]

  /// As on a Chuwi MiniBook X.
  @Test func `others with the same location are alternatives`() {
    let unlocated = (0..<3).map { Candidate(id: "iio:device\($0)") }
    #expect(unlocated[0].alternatives(among: unlocated.reversed()) == [unlocated[1], unlocated[2]])
    let base = Candidate(id: "iio:device4", label: "accel-base")
    let joypad = Candidate(id: "iio:device5", isInJoypad: true)
    #expect(unlocated[0].alternatives(among: [unlocated[0], base, joypad]) == [])
    let displays = ["accel-display", "accel-display"].enumerated().map {
      Candidate(id: "iio:device\($0)", label: $1)
    }
    #expect(displays[0].alternatives(among: displays + [unlocated[2]]) == [displays[1]])
  }

  @Test(arguments: cases) func `the accelerometer of the display is chosen in any order`(_ row: Case) {
    #expect((try? Candidate.choose(.display, from: row.candidates))?.id == row.chosen)
    #expect((try? Candidate.choose(.display, from: row.candidates.reversed()))?.id == row.chosen)
  }

  static let pair = [
    AccelerometerCandidate(id: "iio:device0", name: "mxc4005", label: "left"),
    AccelerometerCandidate(id: "iio:device1", name: "mxc4005", label: "right"),
  ]

  @Test(
    arguments: [
      ("iio:device1", "iio:device1"), ("right", "iio:device1"), ("mxc4005", "iio:device0"),
      ("r*", "iio:device1"), ("iio:device2", "iio:device0"), ("", "iio:device0"),
    ])
  func `the settings name the display's accelerometer`(name: String, id: String) throws {
    #expect(try Candidate.choose(.display, named: name, from: Self.pair.reversed()).id == id)
  }

  @Test func `a named accelerometer overrides its location`() throws {
    let located = [
      Candidate(id: "iio:device0", label: "accel-base"), Candidate(id: "iio:device1", label: "accel-display"),
      Candidate(id: "iio:device2", name: "pad", isInJoypad: true),
      Candidate(id: "iio:device3", name: "light", hasThreeAxes: false),
    ]
    let chosen = { try Candidate.choose(.display, named: $0, from: located).id }
    #expect(try chosen("accel-base") == "iio:device0")
    #expect(try chosen("pad") == "iio:device2")
    #expect(try chosen("light") == "iio:device1")
    #expect(try Candidate.choose(.base, named: "accel-base", from: located).id == "iio:device1")
    #expect(try Candidate.choose(.base, named: "pad", from: located).id == "iio:device0")
  }

  @Test func `the base is the other one if the display's is named`() throws {
    #expect(try Candidate.choose(.base, named: "right", from: Self.pair).id == "iio:device0")
    for (name, candidates) in [
      (nil, Self.pair), ("missing", Self.pair), ("right", [Self.pair[1]]),
      ("right", Self.pair + [Candidate(id: "iio:device2")]),
    ] {
      #expect(throws: Message.noAccelerometerInBase) {
        try Candidate.choose(.base, named: name, from: candidates)
      }
    }
  }

  @Test(arguments: [
    (Candidate(id: "iio:device0", isInJoypad: true), "belongs to a game controller"),
    (Candidate(id: "iio:device0", hasThreeAxes: false), "iio:device0 has no raw values for three axes"),
    (Candidate(id: "iio:device0", location: "base"), "iio:device0, is in the base"),
  ])
  func `the first of several unusable accelerometers is explained`(
    _ first: AccelerometerCandidate, _ reason: String
  ) {
    let others = [
      Candidate(id: "iio:device1", location: "base"), Candidate(id: "iio:device2", isInJoypad: true),
    ]
    let error = #expect(throws: Message.self) { try Candidate.choose(.display, from: others + [first]) }
    #expect(error?.code == .sensorUnusable && error?.description.contains(reason) == true)
  }

  @Test func `an unusable accelerometer is explained`() {
    #expect(throws: Message.noAccelerometer) { try Candidate.choose(.display, from: []) }
    let base = Candidate(id: "iio:device0", name: "bmi160", label: "accel-base")
    let sentence = #"""
      no accelerometer of a display: the only accelerometer, bmi160 (iio:device0), is in the base, not in \#
      the display: if that is wrong, set ACCEL_LOCATION=display for it in udev's hwdb (see 60-sensor.hwdb)
      """#
    do throws(Message) {
      _ = try Candidate.choose(.display, from: [base])
      Issue.record("a base accelerometer was chosen")
    } catch {
      #expect(error.description == sentence)
    }
  }
}
