// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// How rectangles of the desktop lie to each other, to the pixel.
@MainActor
struct ScreenRectangleTests {
  private static let middle = ScreenRectangle(x: 100, y: 200, width: 30, height: 40)

  private static func at(_ x: Int, _ y: Int) -> ScreenRectangle { middle.moved(x: x, y: y) }

  @Test(arguments: [(129, 200), (71, 200), (100, 239), (100, 161), (129, 239), (100, 200)])
  func `one common pixel is an overlap`(x: Int, y: Int) {
    let other = Self.at(x, y)
    #expect(Self.middle.overlaps(other) && other.overlaps(Self.middle))
    #expect(!Self.middle.touches(other) && !other.touches(Self.middle))
    #expect(Self.middle.distance(to: other) == 0)
  }

  @Test(arguments: [(130, 239), (70, 161), (129, 240), (71, 160), (130, 200), (100, 240)])
  func `a common part of an edge is a touch`(x: Int, y: Int) {
    let other = Self.at(x, y)
    #expect(Self.middle.touches(other) && other.touches(Self.middle))
    #expect(!Self.middle.overlaps(other) && Self.middle.distance(to: other) == 0)
  }

  @Test(arguments: [(130, 240), (70, 160), (130, 160), (70, 240)])
  func `a common corner is neither`(x: Int, y: Int) {
    let other = Self.at(x, y)
    #expect(!Self.middle.touches(other) && !Self.middle.overlaps(other))
    #expect(Self.middle.distance(to: other) == 0)
  }

  @Test(arguments: [
    (131, 200, 1), (68, 200, 2), (100, 243, 3), (100, 156, 4), (135, 246, 11), (60, 150, 20), (131, 150, 11),
  ])
  func `the distance is the sum of both axes`(x: Int, y: Int, distance: Int) {
    let other = Self.at(x, y)
    #expect(Self.middle.distance(to: other) == distance && other.distance(to: Self.middle) == distance)
    #expect(!Self.middle.touches(other) && !Self.middle.overlaps(other))
  }

  @Test func `a rectangle fits into a screen that just contains it`() {
    #expect(Self.middle.fits(width: 130, height: 240))
    #expect(!Self.middle.fits(width: 129, height: 240) && !Self.middle.fits(width: 130, height: 239))
    #expect(Self.at(0, 0).fits(width: 30, height: 40))
    #expect(!Self.at(-1, 0).fits(width: 130, height: 240) && !Self.at(0, -1).fits(width: 130, height: 240))
  }

  @Test func `the rectangle around several has their outermost edges`() {
    let around = ScreenRectangle(around: [Self.middle, Self.at(-5, 300), Self.at(400, 150)])
    #expect(around == ScreenRectangle(x: -5, y: 150, width: 435, height: 190))
  }

  @Test(arguments: [
    (1, 1, true), (65_535, 65_535, true), (0, 1, false), (1, 0, false), (65_536, 1, false),
    (1, 65_536, false),
  ])
  func `a display has a side of 65535 pixels at most`(width: Int, height: Int, isPlausible: Bool) {
    #expect(PixelSize(width: width, height: height).isPlausible == isPlausible)
  }
}
