// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("change of the screen")
@MainActor
struct ScreenChangeTests {
  /// eDP-1 1280x800 at 0,0, and HDMI-1 1024x768 right of it.
  static func state(rotations: UInt16 = 0x3f, largest: Int = 32767) -> RandRState {
    RandRState(
      timestamps: .init(set: 5, configured: 7),
      screen: screen(2304, 800, 608, 211),
      largestScreen: .init(width: largest, height: largest),
      modes: [71: .init(width: 1280, height: 800), 72: .init(width: 1024, height: 768)],
      crtcs: [
        crtc(1, mode: 71, .init(x: 0, y: 0, width: 1280, height: 800), rotations),
        crtc(2, mode: 72, .init(x: 1280, y: 0, width: 1024, height: 768), rotations),
        crtc(3, mode: 0, .init(x: 0, y: 0, width: 0, height: 0), rotations),
      ],
      connectors: [
        connector(11, "eDP-1", crtc: 1, isBuiltIn: true), connector(12, "HDMI-1", crtc: 2),
        connector(13, "DP-1", crtc: 0),
      ])
  }

  static func screen(
    _ width: Int, _ height: Int, _ widthMillimetres: Int, _ heightMillimetres: Int
  ) -> RandRState.Screen {
    .init(
      size: PixelSize(width: width, height: height),
      millimetres: PixelSize(width: widthMillimetres, height: heightMillimetres))
  }

  static func crtc(
    _ id: UInt32, mode: UInt32, _ rectangle: ScreenRectangle, _ rotations: UInt16
  ) -> RandRState.CRTC {
    .init(
      id: id, mode: mode, rectangle: rectangle, rotation: 1, rotations: rotations,
      outputs: mode == 0 ? [] : [id + 10], transform: .identity)
  }

  static func connector(
    _ id: UInt32, _ name: String, crtc: UInt32, isBuiltIn: Bool = false
  ) -> RandRState.Connector {
    .init(
      id: id, name: name, isConnected: crtc != 0, crtc: crtc, possibleCRTCs: [1, 2, 3],
      preferredMode: 71, isBuiltIn: isBuiltIn, mount: .topUp)
  }

  @Test func `rotating back restores the neighbour above`() throws {
    let visited = ArrangementHistory()
    var old = Self.state()
    old.crtcs[0].rectangle = old.crtcs[0].rectangle.moved(x: 0, y: 768)
    old.crtcs[1].rectangle = old.crtcs[1].rectangle.moved(x: 1000, y: 0)
    let rotated = try old.rotating([PanelRotation("eDP-1", to: .rotated90)], visited: visited)
    #expect(rotated.crtcs[1].rectangle != old.crtcs[1].rectangle)
    #expect(try rotated.rotating([PanelRotation("eDP-1", to: .none)], visited: visited).crtcs == old.crtcs)
  }

  @Test func `a position beyond RandR's range is refused`() {
    var old = Self.state(largest: 65535)
    old.crtcs[1].rectangle = old.crtcs[1].rectangle.moved(x: 40_000, y: 0)
    #expect(throws: Message.self) { try old.rotating([PanelRotation("HDMI-1", to: .rotated90)]) }
  }

  @Test func `a rotation switches off only outputs that no longer fit`() throws {
    let old = Self.state()
    let change = ScreenChange(from: old, to: try old.rotating([PanelRotation("eDP-1", to: .rotated90)]))
    #expect(change.switchedOff == [2])
    #expect(change.screen?.size.width == 1824)
    #expect(change.screen?.size.height == 1280)
    #expect(change.set.map(\.id) == [1, 2])
    #expect(change.set.map(\.rectangle.x) == [0, 800])
  }

  @Test func `a single panel is switched off to swap its sides`() throws {
    var old = Self.state()
    old.crtcs[1].mode = 0
    old.screen = Self.screen(1280, 800, 338, 211)
    let change = ScreenChange(from: old, to: try old.rotating([PanelRotation("eDP-1", to: .rotated90)]))
    #expect(change.switchedOff == [1])
    #expect(change.screen == Self.screen(800, 1280, 211, 338))
    #expect(change.set.map(\.id) == [1])
  }

  @Test func `a half rotation moves nothing`() throws {
    let old = Self.state()
    let change = ScreenChange(from: old, to: try old.rotating([PanelRotation("eDP-1", to: .rotated180)]))
    #expect(change.switchedOff.isEmpty && change.screen == nil)
    #expect(change.set.map(\.id) == [1])
  }

  @Test(arguments: [DisplayTransform.rotated90, .rotated180, .rotated270])
  func `a square panel is rotated without being switched off`(transform: DisplayTransform) throws {
    var old = Self.state()
    old.modes[71] = .init(width: 1000, height: 1000)
    old.crtcs[0].rectangle = .init(x: 0, y: 0, width: 1000, height: 1000)
    old.crtcs[1].rectangle.x = 1000
    old.screen = Self.screen(2024, 1000, 534, 264)
    let change = ScreenChange(from: old, to: try old.rotating([PanelRotation("eDP-1", to: transform)]))
    #expect(change.switchedOff.isEmpty && change.screen == nil)
    #expect(change.set.map(\.id) == [1])
  }

  @Test func `the same rotation is no change`() throws {
    let old = Self.state()
    let change = ScreenChange(from: old, to: try old.rotating([PanelRotation("eDP-1", to: .none)]))
    #expect(change.switchedOff.isEmpty && change.screen == nil && change.set.isEmpty)
  }

  @Test func `a revert lights outputs that were switched off`() throws {
    let old = Self.state()
    var halfDone = try old.rotating([PanelRotation("eDP-1", to: .rotated90)])
    halfDone.crtcs[0].mode = 0
    let back = ScreenChange(from: halfDone, to: old)
    #expect(back.set.map(\.id).contains(1))
    #expect(back.screen == old.screen)
  }

  @Test func `undoing a completed rotation restores the state before`() throws {
    let old = Self.state()
    let new = try old.rotating([PanelRotation("eDP-1", to: .rotated90)])
    #expect(new.undoing(from: old, to: new) == old)
  }

  @Test func `undoing a rotation keeps a monitor lit by others`() throws {
    var old = Self.state()
    old.crtcs[1] = Self.crtc(2, mode: 0, .init(x: 0, y: 0, width: 0, height: 0), 0x3f)
    old.connectors[1].crtc = 0
    old.screen = Self.screen(1280, 800, 338, 211)
    let new = try old.rotating([PanelRotation("eDP-1", to: .rotated90)])
    var found = Self.state()
    found.crtcs[0] = Self.crtc(1, mode: 0, .init(x: 0, y: 0, width: 0, height: 0), 0x3f)
    found.connectors[0].crtc = 0
    let undone = found.undoing(from: old, to: new)
    #expect(undone.crtcs == Self.state().crtcs)
    #expect(undone.connectors == Self.state().connectors)
    #expect(undone.screen.size == PixelSize(width: 2304, height: 800))
    #expect(!undone.isLaidOut(as: old))
  }

  @Test func `undoing a rotation keeps what another program has set since`() throws {
    let old = Self.state()
    let new = try old.rotating([PanelRotation("eDP-1", to: .rotated90)])
    var found = new
    found.crtcs[1].rectangle = .init(x: 800, y: 300, width: 1024, height: 768)
    let undone = found.undoing(from: old, to: new)
    #expect(undone.crtcs[0] == old.crtcs[0])
    #expect(undone.crtcs[1] == found.crtcs[1])
  }

  @Test func `new timestamps alone do not change the layout`() throws {
    var found = Self.state()
    found.timestamps = .init(set: 9, configured: 9)
    #expect(found.isLaidOut(as: Self.state()))
    found.connectors[2].isConnected = true
    #expect(!found.isLaidOut(as: Self.state()))
  }

  @Test func `impossible rotations are refused before anything is sent`() {
    #expect(Self.failure(Self.state(rotations: 1)).contains("offers no rotation"))
    #expect(Self.failure(Self.state(rotations: 5)).contains("only: rotated 180°"))
    #expect(Self.failure(Self.state(largest: 1200)).contains("1824x1280"))
    var alone = Self.state(largest: 1279)
    alone.crtcs[1].mode = 0
    #expect(Self.failure(alone).contains("800x1280"))
    #expect(Self.failure(Self.state(), "DP-1").contains("switched off"))
    #expect(Self.failure(Self.state(), "VGA-1").contains("eDP-1, HDMI-1"))
    var panned = Self.state()
    panned.crtcs[0].rectangle.width = 2000
    #expect(Self.failure(panned).contains("--panning 0x0"))
  }

  static func failure(_ state: RandRState, _ output: String = "eDP-1") -> String {
    do {
      _ = try state.rotating([PanelRotation(output, to: .rotated90)])
      return ""
    } catch { return error.description }
  }

  @Test func `connected or lit connectors are outputs`() {
    var state = Self.state()
    #expect(state.outputs.map(\.name) == ["eDP-1", "HDMI-1"])
    state.connectors[1].isConnected = false
    state.connectors[2].isConnected = true
    #expect(state.outputs.map(\.isActive) == [true, true, false])
    #expect(state.outputs[2].width == 1280)
    #expect(state.outputs[0].isBuiltIn && !state.outputs[1].isBuiltIn)
  }
}
