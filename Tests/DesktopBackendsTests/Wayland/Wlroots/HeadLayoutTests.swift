// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("the layout of wlroots' outputs")
@MainActor
struct HeadLayoutTests {
  private func head(
    _ number: Int, _ name: String, _ width: Int, _ height: Int, x: Int = 0, y: Int = 0,
    transform: Int = 0, scale: Double = 1, logicalSize: PixelSize? = nil
  ) -> CompositorOutput {
    var head = CompositorOutput(
      name: name, number: number, width: width, height: height, scale: scale,
      rectangle: ScreenRectangle(x: x, y: y, width: 0, height: 0))
    head.transform = transform
    head.resize(reported: logicalSize)
    return head
  }

  private func rotate(
    _ heads: [CompositorOutput], _ name: String = "eDP-1", to rotation: DisplayTransform
  ) throws -> [CompositorOutput] {
    try LayoutChange([PanelRotation(name, to: rotation)], among: heads).after
  }

  private func places(_ heads: [CompositorOutput]) -> [String: [Int]] {
    Dictionary(uniqueKeysWithValues: heads.map { ($0.name, [$0.rectangle.x, $0.rectangle.y]) })
  }

  @Test func `neighbours move with a rotation`() throws {
    let layout = [
      head(1, "eDP-1", 1920, 1080, x: 0), head(2, "right", 800, 600, x: 1920),
      head(3, "below", 800, 600, y: 1080),
    ]
    let rotated = try rotate(layout, to: .rotated90)
    #expect(places(rotated) == ["eDP-1": [0, 0], "right": [1080, 0], "below": [0, 1920]])
    #expect(try rotate(rotated, to: .none) == layout)
  }

  /// 1920 / 1.3333 is 1440.03, but the scale is sent as 341/256, which gives 1441.
  @Test func `the compositor's size overrides a rounded scale`() throws {
    let scale = 341.0 / 256
    let layout = [
      head(1, "eDP-1", 1920, 1080, scale: scale, logicalSize: PixelSize(width: 1440, height: 810)),
      head(2, "HDMI-A-1", 800, 600, x: 1440),
    ]
    let rotated = try rotate(layout, to: .rotated90)
    #expect(places(rotated)["HDMI-A-1"] == [810, 0])
    #expect(places(try rotate(rotated, to: .rotated180))["HDMI-A-1"] == [1440, 0])
  }

  /// The scale of a small output is rounded, too.
  @Test func `a difference of two pixels is rounding`() throws {
    let layout = [
      head(1, "eDP-1", 320, 200, scale: 2, logicalSize: PixelSize(width: 162, height: 102)),
      head(2, "HDMI-A-1", 800, 600, x: 162),
    ]
    let rotated = try rotate(layout, to: .rotated90)
    #expect(places(rotated)["HDMI-A-1"] == [102, 0])
  }

  @Test func `an outdated size is ignored`() throws {
    let layout = [
      head(1, "eDP-1", 1920, 1080, transform: 1, logicalSize: PixelSize(width: 1920, height: 1080)),
      head(2, "HDMI-A-1", 800, 600, x: 1080),
    ]
    #expect(places(try rotate(layout, to: .none))["HDMI-A-1"] == [1920, 0])
  }

  @Test func `the origin of the desktop stays`() throws {
    let layout = [
      head(1, "eDP-1", 1920, 1080, x: 100, y: -50), head(2, "HDMI-A-1", 800, 600, x: 2020, y: -50),
    ]
    let rotated = try rotate(layout, to: .rotated270)
    #expect(places(rotated) == ["eDP-1": [100, -50], "HDMI-A-1": [1180, -50]])
  }

  @Test func `a flipped rotated neighbour has its rotated size`() throws {
    let layout = [
      head(1, "eDP-1", 1920, 1080, x: 600), head(2, "HDMI-A-1", 800, 600, transform: 7),
    ]
    #expect(
      places(try rotate(layout, to: .rotated90)) == [
        "eDP-1": [600, 0], "HDMI-A-1": [0, 0],
      ])
  }

  @Test func `an output of unknown size rotates alone`() throws {
    var layout = [head(1, "eDP-1", 1920, 1080), head(2, "HDMI-A-1", 800, 600, x: 1920)]
    layout[0].size = nil
    layout[0].resize(reported: nil)
    let rotated = try rotate(layout, to: .rotated90)
    #expect(rotated["eDP-1"]?.transform == 1)
    #expect(places(rotated) == places(layout))
  }

  @Test func `more outputs than supported keep their places`() throws {
    let neighbours = (2...65).map { head($0, "HDMI-A-\($0)", 800, 600, x: 1920 + $0 * 800) }
    let layout = [head(1, "eDP-1", 1920, 1080)] + neighbours
    let rotated = try rotate(layout, to: .rotated90)
    #expect(rotated[0].rotation == .rotated90 && places(rotated) == places(layout))
  }

  @Test(arguments: [Double.nan, .infinity, 0, -1, 1e-300, 1e300])
  func `invalid scales are tolerated`(scale: Double) throws {
    let layout = [
      head(1, "eDP-1", 1920, 1080, scale: scale), head(2, "HDMI-A-1", 800, 600, x: 1920),
    ]
    #expect(try rotate(layout, to: .rotated90)["eDP-1"]?.transform == 1)
  }

  @Test(arguments: [(Int(Int32.max), 1.0), (65535, 1.0 / 256), (Int(Int32.max), 1.0 / 256)])
  func `impossible sizes do not crash`(side: Int, scale: Double) throws {
    let layout = [
      head(1, "eDP-1", side, side, scale: scale),
      head(2, "eDP-2", side, side, x: Int(Int32.max), scale: scale),
    ]
    let rotations = ["eDP-1", "eDP-2"].map { PanelRotation($0, to: .rotated90) }
    #expect(try LayoutChange(rotations, among: layout).after.map(\.transform) == [1, 1])
  }
}
