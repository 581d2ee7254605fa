// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

@Suite("output of the active window")
@MainActor
struct FocusPlaceTests {
  private let unrotated = [
    FocusPlace.Display(name: "eDP-1", rectangle: .init(x: 0, y: 0, width: 1280, height: 800)),
    FocusPlace.Display(name: "HDMI-1", rectangle: .init(x: 1280, y: 0, width: 1024, height: 768)),
  ]
  private let rotated = [
    FocusPlace.Display(name: "eDP-1", rectangle: .init(x: 0, y: 0, width: 800, height: 1280)),
    FocusPlace.Display(name: "HDMI-1", rectangle: .init(x: 800, y: 0, width: 1024, height: 768)),
  ]
  private let second: Int64 = 1_000_000_000

  @Test(
    arguments: [
      (0, 0, 100, 100, "eDP-1"), (1200, 0, 200, 100, "HDMI-1"), (1200, 0, 100, 100, "eDP-1"),
      (1230, 0, 100, 100, "eDP-1"), (-50, -50, 100, 100, "eDP-1"), (2300, 760, 900, 900, "HDMI-1"),
      (1280, 780, 100, 100, nil), (-100, 0, 100, 100, nil), (5, 5, 0, 0, nil),
    ] as [(Int, Int, Int, Int, String?)])
  func `the output that shows most of a window is chosen`(
    x: Int, y: Int, width: Int, height: Int, name: String?
  ) {
    let window = ScreenRectangle(x: x, y: y, width: width, height: height)
    #expect(FocusPlace.display(showing: window, among: unrotated)?.name == name)
  }

  @Test func `the first of two mirrors is chosen`() {
    let same = [unrotated[0], FocusPlace.Display(name: "HDMI-1", rectangle: unrotated[0].rectangle)]
    #expect(FocusPlace.display(showing: unrotated[0].rectangle, among: same)?.name == "eDP-1")
    #expect(FocusPlace.display(showing: unrotated[0].rectangle, among: same.reversed())?.name == "HDMI-1")
  }

  private let window = ScreenRectangle(x: 900, y: 100, width: 300, height: 300)
  private let onMonitor = ScreenRectangle(x: 1500, y: 0, width: 300, height: 300)

  private func place() -> FocusPlace {
    var place = FocusPlace()
    place.updateLayout(unrotated, at: 0)
    place.updateWindow(1, at: window, now: 5 * second)
    return place
  }

  @Test func `the output follows the window`() {
    var place = place()
    #expect(place.output == "eDP-1")
    place.updateWindow(1, at: onMonitor, now: 6 * second)
    #expect(place.output == "HDMI-1")
    place.updateWindow(nil, at: nil, now: 7 * second)
    #expect(place.output == nil)
  }

  @Test func `the output stays when a rotation moves the neighbour`() {
    var place = place()
    place.updateLayout(rotated, at: 10 * second)
    place.updateWindow(1, at: window, now: 10 * second)
    #expect(place.output == "eDP-1")
    place.updateWindow(1, at: ScreenRectangle(x: 850, y: 100, width: 300, height: 300), now: 10 * second + 1)
    #expect(place.output == "eDP-1")
    place.updateWindow(1, at: window, now: 12 * second)
    #expect(place.output == "HDMI-1")
  }

  @Test func `a new window during a rotation gets its final output`() {
    var place = place()
    place.updateLayout(rotated, at: 10 * second)
    place.updateWindow(2, at: window, now: 10 * second)
    #expect(place.output == "HDMI-1")
    place.updateWindow(2, at: ScreenRectangle(x: 400, y: 100, width: 300, height: 300), now: 10 * second + 1)
    #expect(place.output == "eDP-1")
  }

  @Test func `the output changes when it is switched off`() {
    var place = FocusPlace()
    place.updateLayout(unrotated, at: 0)
    place.updateWindow(1, at: onMonitor, now: 0)
    #expect(place.output == "HDMI-1")
    place.updateLayout([unrotated[0]], at: 2 * second)
    #expect(place.output == nil)
    place.updateWindow(1, at: window, now: 2 * second)
    #expect(place.output == "eDP-1")
  }

  @Test(arguments: [(999_999_999, "eDP-1"), (1_000_000_000, "HDMI-1")])
  func `a second after a rotation windows count again`(nanoseconds: Int64, output: String) {
    var place = place()
    place.updateLayout(rotated, at: 10 * second)
    place.updateWindow(1, at: onMonitor, now: 10 * second + nanoseconds)
    #expect(place.output == output)
  }
}
