// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

@Suite("output of the active window")
@MainActor
struct FocusedOutputTests {
  private let unrotated = [
    FocusedOutput.Display(name: "eDP-1", rectangle: .init(x: 0, y: 0, width: 1280, height: 800)),
    FocusedOutput.Display(name: "HDMI-1", rectangle: .init(x: 1280, y: 0, width: 1024, height: 768)),
  ]
  private let rotated = [
    FocusedOutput.Display(name: "eDP-1", rectangle: .init(x: 0, y: 0, width: 800, height: 1280)),
    FocusedOutput.Display(name: "HDMI-1", rectangle: .init(x: 800, y: 0, width: 1024, height: 768)),
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
    #expect(FocusedOutput.display(showing: window, among: unrotated)?.name == name)
  }

  @Test func `the first of two mirrors is chosen`() {
    let same = [unrotated[0], FocusedOutput.Display(name: "HDMI-1", rectangle: unrotated[0].rectangle)]
    #expect(FocusedOutput.display(showing: unrotated[0].rectangle, among: same)?.name == "eDP-1")
    #expect(FocusedOutput.display(showing: unrotated[0].rectangle, among: same.reversed())?.name == "HDMI-1")
  }

  private let window = ScreenRectangle(x: 900, y: 100, width: 300, height: 300)
  private let onMonitor = ScreenRectangle(x: 1500, y: 0, width: 300, height: 300)

  private func focus() -> FocusedOutput {
    var focus = FocusedOutput()
    focus.updateLayout(unrotated, at: 0)
    focus.updateWindow(1, at: window, now: 5 * second)
    return focus
  }

  @Test func `the output follows the window`() {
    var focus = focus()
    #expect(focus.name == "eDP-1")
    focus.updateWindow(1, at: onMonitor, now: 6 * second)
    #expect(focus.name == "HDMI-1")
    focus.updateWindow(nil, at: nil, now: 7 * second)
    #expect(focus.name == nil)
  }

  @Test func `the output stays when a rotation moves the neighbour`() {
    var focus = focus()
    focus.updateLayout(rotated, at: 10 * second)
    focus.updateWindow(1, at: window, now: 10 * second)
    #expect(focus.name == "eDP-1")
    focus.updateWindow(1, at: ScreenRectangle(x: 850, y: 100, width: 300, height: 300), now: 10 * second + 1)
    #expect(focus.name == "eDP-1")
    focus.updateWindow(1, at: window, now: 12 * second)
    #expect(focus.name == "HDMI-1")
  }

  @Test func `a new window during a rotation gets its final output`() {
    var focus = focus()
    focus.updateLayout(rotated, at: 10 * second)
    focus.updateWindow(2, at: window, now: 10 * second)
    #expect(focus.name == "HDMI-1")
    focus.updateWindow(2, at: ScreenRectangle(x: 400, y: 100, width: 300, height: 300), now: 10 * second + 1)
    #expect(focus.name == "eDP-1")
  }

  @Test func `the output changes when it is switched off`() {
    var focus = FocusedOutput()
    focus.updateLayout(unrotated, at: 0)
    focus.updateWindow(1, at: onMonitor, now: 0)
    #expect(focus.name == "HDMI-1")
    focus.updateLayout([unrotated[0]], at: 2 * second)
    #expect(focus.name == nil)
    focus.updateWindow(1, at: window, now: 2 * second)
    #expect(focus.name == "eDP-1")
  }

  @Test(arguments: [(999_999_999, "eDP-1"), (1_000_000_000, "HDMI-1")])
  func `a second after a rotation windows count again`(nanoseconds: Int64, output: String) {
    var focus = focus()
    focus.updateLayout(rotated, at: 10 * second)
    focus.updateWindow(1, at: onMonitor, now: 10 * second + nanoseconds)
    #expect(focus.name == output)
  }
}
