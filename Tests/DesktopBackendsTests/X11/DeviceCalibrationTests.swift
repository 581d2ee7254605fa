// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("device calibration")
@MainActor
struct DeviceCalibrationTests {
  static let correction = ProjectiveTransform(rows: (1.05, 0, -0.02), (0, 1.04, -0.01))
  static let place = TouchMatrixTests.place(.turned90)
  static let mapping = TouchMatrix.mapping(to: place)

  @Test func whatIsFoundAtFirstSightIsTheDevicesOwn() {
    let seen = DeviceCalibration(found: Self.correction, kept: nil, written: nil, place: Self.place)
    #expect(seen.matrix == Self.correction)
    #expect(!seen.wasChangedByOthers)
  }

  @Test func whatAlreadyFollowsThePanelIsNoCalibration() {
    let mapped = DeviceCalibration(found: Self.mapping, kept: nil, written: nil, place: Self.place)
    #expect(mapped.matrix == .identity)
    let rotated = TouchMatrix.rotation(Self.place.randrRotation)
    let turned = DeviceCalibration(found: rotated, kept: nil, written: nil, place: Self.place)
    #expect(turned.matrix == .identity)
  }

  @Test func aRestartedDaemonGoesByWhatItKept() {
    let again = DeviceCalibration(
      found: Self.mapping * Self.correction, kept: Self.correction, written: nil, place: Self.place)
    #expect(again.matrix == Self.correction)
    #expect(!again.wasChangedByOthers)
  }

  @Test func whatWeWroteOurselvesChangesNothing() {
    let own = Self.mapping * Self.correction
    let again = DeviceCalibration(found: own, kept: Self.correction, written: own, place: Self.place)
    #expect(again == DeviceCalibration(found: own, kept: Self.correction, written: nil, place: Self.place))
  }

  @Test func anotherProgramsMappingIsNoticedAndOverruled() {
    let whole = TouchMatrix.rotation(1)
    let overruled = DeviceCalibration(
      found: whole, kept: Self.correction, written: Self.mapping, place: Self.place)
    #expect(overruled.matrix == Self.correction)
    #expect(overruled.wasChangedByOthers)
  }

  @Test func anotherProgramsCalibrationIsNoticedAndTakenOver() {
    let taken = DeviceCalibration(
      found: Self.correction, kept: .identity, written: Self.mapping, place: Self.place)
    #expect(taken.matrix == Self.correction)
    #expect(taken.wasChangedByOthers)
  }

  /// What no calibration can be: a third row that is not 0 0 1, a plane flattened to a line, an absurd scale.
  nonisolated static let impossible: [[Double]] = [
    [1, 0, 0, 0, 1, 0, 0.5, 0, 1], [1, 0, 0, 0, 1, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 1, 0, 1, 1, 0, 0, 0, 1], [1000, 0, 0, 0, 1000, 0, 0, 0, 1], [1, 0, 1e9, 0, 1, 0, 0, 0, 1],
    [1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1], [2, 1, 0, 1, 0.5, 0, 0, 0, 1],
  ]

  @Test(arguments: impossible)
  func aMatrixThatNoCalibrationCanBeIsNotTakenOver(elements: [Double]) throws {
    let found = try #require(ProjectiveTransform(elements))
    let set = DeviceCalibration(
      found: found, kept: Self.correction, written: Self.mapping, place: Self.place)
    #expect(set.matrix == Self.correction)
    #expect(set.wasChangedByOthers)
    let first = DeviceCalibration(found: found, kept: nil, written: nil, place: Self.place)
    #expect(first.matrix == .identity)
    let kept = DeviceCalibration(found: Self.mapping, kept: found, written: nil, place: Self.place)
    #expect(kept.matrix == .identity)
  }
}
