// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct MountMatrixChoiceTests {
  private static let quarter = "0, -1, 0; 1, 0, 0; 0, 0, 1"
  private static let half = "-1,0,0;0,-1,0;0,0,1"

  private static func choose(_ texts: [String?], override: MountMatrix? = nil) -> MountMatrixChoice {
    let places = ["udev", "mount_matrix", "in_accel_mount_matrix", "in_mount_matrix"]
    return .choose(
      override: override,
      from: zip(places, texts).compactMap { place, text in
        text.map { .init(source: Phrase(verbatim: place), text: $0) }
      })
  }

  @Test(arguments: [
    ([quarter, half, half, half], "udev"),
    ([nil, quarter, half, half], "mount_matrix"),
    ([nil, nil, quarter, half], "in_accel_mount_matrix"),
    ([nil, nil, nil, quarter], "in_mount_matrix"),
  ])
  func `the first source has precedence`(texts: [String?], place: String) {
    let choice = Self.choose(texts)
    #expect(choice.source.description == place)
    #expect(choice.problems.isEmpty)
    #expect(choice.matrix(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: -2, y: 1, z: 3))
  }

  @Test func `the settings override all sources`() {
    let choice = Self.choose([Self.quarter], override: MountMatrix(text: Self.half))
    #expect(choice.source.description == "the settings")
    #expect(choice.matrix(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: -1, y: -2, z: 3))
  }

  @Test(arguments: [
    "", "1,0,0", "1,0,0;0,1,0", "a,b,c;d,e,f;g,h,i", "0,0,0;0,1,0;0,0,1", "1,0,0;0,1,0;0,0,nan",
    "1e400,0,0;0,1,0;0,0,1", "1,0,0;0,1,0;0,0,0", "1,0,0;2,0,0;0,0,1", "1,0,0;0,1,0;0,0,1;;",
  ])
  func `an unusable matrix is reported and skipped`(text: String) {
    let choice = Self.choose([text, nil, nil, Self.quarter])
    #expect(choice.source.description == "in_mount_matrix")
    #expect(choice.problems.count == 1)
    #expect(
      choice.problems.first?.description.hasPrefix("the mount matrix in udev, \"\(text)\", cannot be used")
        == true)
  }

  /// Both are in systemd's 60-sensor.hwdb (BUSH, Hometech Wi101), and right in the rows that rotation needs.
  @Test(arguments: [
    ("1,0,0; 0,-1,0; 1,0,0", [1, 0, 0, 0, -1, 0, 0, 0, -1]),
    ("0,1,0; -1,0,0; -1,0,0", [0, 1, 0, -1, 0, 0, 0, 0, 1]),
  ])
  func `a last row without use is replaced and reported`(text: String, elements: [Double]) {
    let choice = Self.choose([text, nil, nil, Self.quarter])
    #expect(choice.source.description == "udev")
    #expect(choice.matrix.elements == elements)
    #expect(choice.problems.count == 1)
    #expect(choice.problems.first?.description.contains("only its first two rows are") == true)
  }

  @Test func `without a matrix the sensors axes are used unchanged`() {
    #expect(Self.choose([]).matrix == .identity)
    #expect(Self.choose(["x", "y"]).matrix == .identity)
    #expect(Self.choose(["x", "y"]).problems.count == 2)
  }

  @Test func `mirrors and negative zeros are fine`() {
    let choice = Self.choose(["-0, 1, 0; 1, -0, 0; 0, 0, 1"])
    #expect(choice.problems.isEmpty)
    #expect(choice.matrix(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: 2, y: 1, z: 3))
  }
}
