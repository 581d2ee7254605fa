// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("device calibration")
@MainActor
struct DeviceCalibrationTests {
  static let correction = ProjectiveTransform(rows: (1.05, 0, -0.02), (0, 1.04, -0.01))
  static let place = TouchMatrixTests.place(.rotated90)
  static let mapping = TouchMatrix.mapping(to: place)

  @Test func `the matrix on first contact is the calibration`() {
    let seen = DeviceCalibration(found: Self.correction, kept: nil, written: nil, place: Self.place)
    #expect(seen.matrix == Self.correction)
    #expect(!seen.wasChangedByOthers)
  }

  @Test func `a matrix that follows the panel is no calibration`() {
    let mapped = DeviceCalibration(found: Self.mapping, kept: nil, written: nil, place: Self.place)
    #expect(mapped.matrix == .identity)
    let rotated = TouchMatrix.rotation(Self.place.randrRotation)
    let followed = DeviceCalibration(found: rotated, kept: nil, written: nil, place: Self.place)
    #expect(followed.matrix == .identity)
  }

  @Test func `a restarted daemon uses the stored calibration`() {
    let again = DeviceCalibration(
      found: Self.mapping * Self.correction, kept: Self.correction, written: nil, place: Self.place)
    #expect(again.matrix == Self.correction)
    #expect(!again.wasChangedByOthers)
  }

  @Test func `our own matrix changes nothing`() {
    let own = Self.mapping * Self.correction
    let again = DeviceCalibration(found: own, kept: Self.correction, written: own, place: Self.place)
    #expect(again == DeviceCalibration(found: own, kept: Self.correction, written: nil, place: Self.place))
  }

  @Test func `another program's mapping is detected and overwritten`() {
    let whole = TouchMatrix.rotation(1)
    let overwritten = DeviceCalibration(
      found: whole, kept: Self.correction, written: Self.mapping, place: Self.place)
    #expect(overwritten.matrix == Self.correction)
    #expect(overwritten.wasChangedByOthers)
  }

  @Test func `another program's calibration is detected and used`() {
    let adopted = DeviceCalibration(
      found: Self.correction, kept: .identity, written: Self.mapping, place: Self.place)
    #expect(adopted.matrix == Self.correction)
    #expect(adopted.wasChangedByOthers)
  }

  @Test func `a calibration in a matrix that follows the panel is used`() {
    let whole = Self.mapping * Self.correction
    let adopted = DeviceCalibration(found: whole, kept: .identity, written: Self.mapping, place: Self.place)
    #expect(adopted.matrix.isClose(to: Self.correction) && adopted.wasChangedByOthers)
    let first = DeviceCalibration(found: whole, kept: nil, written: nil, place: Self.place)
    #expect(first.matrix.isClose(to: Self.correction))
  }

  /// Implausible calibrations: a third row that is not 0 0 1, a plane flattened to a line, an absurd scale.
  nonisolated static let impossible: [[Double]] = [
    [1, 0, 0, 0, 1, 0, 0.5, 0, 1], [1, 0, 0, 0, 1, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 1, 0, 1, 1, 0, 0, 0, 1], [1000, 0, 0, 0, 1000, 0, 0, 0, 1], [1, 0, 1e9, 0, 1, 0, 0, 0, 1],
    [1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1], [2, 1, 0, 1, 0.5, 0, 0, 0, 1],
  ]

  @Test(arguments: impossible)
  func `an implausible matrix is not used as calibration`(elements: [Double]) throws {
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
