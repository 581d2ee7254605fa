// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("touch matrix")
@MainActor
struct TouchMatrixTests {
  /// A panel of 1280x800 at 0,0 with a monitor of 1024x768 right of it.
  static func place(_ transform: DisplayTransform) -> PanelPlace {
    let (width, height) = transform.swapsSides ? (800, 1280) : (1280, 800)
    return PanelPlace(
      rectangle: .init(x: 0, y: 0, width: width, height: height),
      randrRotation: transform.randrRotation,
      screen: PixelSize(width: width + 1024, height: max(height, 768)))
  }

  static func pixel(_ matrix: ProjectiveTransform, _ place: PanelPlace, x: Double, y: Double) -> (
    Double, Double
  ) {
    let point = matrix(x: x, y: y) ?? (.nan, .nan)
    return (point.x * Double(place.screen.width), point.y * Double(place.screen.height))
  }

  @Test(arguments: [6, 7, 8])
  func `a matrix with a perspective is not affine`(place: Int) throws {
    var elements = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]
    #expect(try #require(ProjectiveTransform(elements)).isAffine)
    elements[place] += 0.0005
    #expect(try !#require(ProjectiveTransform(elements)).isAffine)
  }

  @Test func `an inverse undoes a transform`() throws {
    let skewed = try #require(ProjectiveTransform([0.5, 0.1, 0.3, 0.2, 0.8, 0.05, 0, 0, 1]))
    let inverse = try #require(skewed.inverse)
    #expect((inverse * skewed).isClose(to: .identity) && (skewed * inverse).isClose(to: .identity))
  }

  @Test func `an infinite image has no size`() throws {
    let matrix = try #require(ProjectiveTransform([1, 0, 0, 0, 1, 0, -0.01, 0, 1]))
    #expect(matrix.boundingSize(width: 100, height: 100) == nil)
    #expect(try #require(matrix.boundingSize(width: 50, height: 100)) == PixelSize(width: 100, height: 200))
  }

  /// Measured on Xorg: a marker was drawn at a pixel of the screen, located on the panel's scanout, and touched there.
  @Test(
    arguments: [
      (.rotated90, 110, 70, 0.0547, 0.8625),
      (.rotated90, 610, 710, 0.5547, 0.2375),
      (.rotated180, 110, 70, 0.9141, 0.9125),
      (.rotated270, 110, 70, 0.9453, 0.1375),
      (.none, 110, 70, 0.0859, 0.0875),
    ] as [(DisplayTransform, Double, Double, Double, Double)])
  func `a touch is mapped to the touched pixel`(
    transform: DisplayTransform, x: Double, y: Double, panelX: Double, panelY: Double
  ) {
    let place = Self.place(transform)
    let hit = Self.pixel(TouchMatrix.mapping(to: place), place, x: panelX, y: panelY)
    #expect(abs(hit.0 - x) < 0.1 && abs(hit.1 - y) < 0.1, "\(hit)")
  }

  @Test func `a panel that fills the screen has the identity matrix`() {
    let place = PanelPlace(
      rectangle: .init(x: 0, y: 0, width: 1920, height: 1080), randrRotation: 1,
      screen: PixelSize(width: 1920, height: 1080))
    #expect(TouchMatrix.mapping(to: place) == .identity)
  }

  /// The matrices in the X.Org wiki for a single panel.
  @Test(
    arguments: [
      (.rotated90, [0, -1, 1, 1, 0, 0, 0, 0, 1]),
      (.rotated180, [-1, 0, 1, 0, -1, 1, 0, 0, 1]),
      (.rotated270, [0, 1, 0, -1, 0, 1, 0, 0, 1]),
    ] as [(DisplayTransform, [Double])])
  func `a single panel has the matrix of the wiki`(transform: DisplayTransform, elements: [Double]) {
    let (width, height) = transform.swapsSides ? (800, 1280) : (1280, 800)
    let place = PanelPlace(
      rectangle: .init(x: 0, y: 0, width: width, height: height),
      randrRotation: transform.randrRotation, screen: PixelSize(width: width, height: height))
    #expect(TouchMatrix.mapping(to: place).elements == elements)
  }

  @Test(arguments: [UInt16(16), 32, 48])
  func `a reflected screen reflects touch`(reflection: UInt16) throws {
    var place = Self.place(.none)
    place.randrRotation |= reflection
    let hit = Self.pixel(TouchMatrix.mapping(to: place), place, x: 0.25, y: 0.25)
    #expect(hit.0 == (reflection & 16 != 0 ? 960 : 320))
    #expect(hit.1 == (reflection & 32 != 0 ? 600 : 200))
  }

  @Test func `the calibration is applied first`() {
    let place = Self.place(.rotated90)
    let calibration = ProjectiveTransform(rows: (1.1, 0, -0.05), (0, 0.9, 0.05))
    let calibrated = TouchMatrix.mapping(to: place, calibration: calibration)
    let corrected = calibration(x: 0.3, y: 0.7) ?? (.nan, .nan)
    let expected = Self.pixel(TouchMatrix.mapping(to: place), place, x: corrected.x, y: corrected.y)
    let actual = Self.pixel(calibrated, place, x: 0.3, y: 0.7)
    #expect(abs(actual.0 - expected.0) < 1e-9 && abs(actual.1 - expected.1) < 1e-9)
  }

  @Test func `every mapping is recognised`() {
    for transform in DisplayTransform.allCases {
      #expect(TouchMatrix.isMapping(TouchMatrix.mapping(to: Self.place(transform))))
    }
  }

  @Test(
    arguments: [
      [1.05, 0, -0.02, 0, 1.04, -0.01, 0, 0, 1],  // reaches beyond the screen: a calibration
      [1, 0.02, 0, -0.02, 1, 0, 0, 0, 1],  // skewed
      [-1, 0, 1, 0, 1, 0, 0, 0, 1],  // mirrored
      [0, 1, 0, 1, 0, 0, 0, 0, 1],  // mirrored at the diagonal
      [0, 0, 0, 0, 0, 0, 0, 0, 1],  // switched off
      [1, 0, 0, 0, 1, 0, 0.1, 0, 1],  // in perspective
    ])
  func `a calibration is not recognised as mapping`(elements: [Double]) throws {
    let matrix = try #require(ProjectiveTransform(elements))
    #expect(!TouchMatrix.isMapping(matrix))
  }

  @Test func `half a thousandth of the screen distinguishes two matrices`() {
    #expect(!ProjectiveTransform(rows: (1, 0, 0.0005), (0, 1, 0)).isClose(to: .identity))
    #expect(ProjectiveTransform(rows: (1, 0, 0.00001), (0, 1, 0)).isClose(to: .identity))
  }

  @Test func `a matrix needs nine finite numbers`() {
    #expect(ProjectiveTransform([1, 0, 0]) == nil)
    #expect(ProjectiveTransform([.nan, 0, 0, 0, 1, 0, 0, 0, 1]) == nil)
  }
}
