// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing

@testable import DesktopBackends

/// The sizes of panels and touchscreens, and EDIDs.
@MainActor
struct PhysicalSizeTests {
  private static func fits(_ one: (Int, Int), _ other: (Int, Int)) throws -> Bool {
    let sizes = try [one, other].map { try #require(PhysicalSize(width: $0.0, height: $0.1)) }
    return sizes[0].fits(sizes[1])
  }

  @Test func `a centimetre or a twentieth is no difference`() throws {
    #expect(try Self.fits((200, 150), (210, 160)) && Self.fits((200, 150), (190, 140)))
    #expect(try !Self.fits((200, 150), (211, 150)) && !Self.fits((200, 150), (189, 150)))
    #expect(try !Self.fits((200, 150), (200, 161)) && !Self.fits((200, 150), (200, 139)))
    #expect(try Self.fits((400, 300), (420, 315)) && Self.fits((400, 300), (380, 285)))
    #expect(try !Self.fits((400, 300), (421, 300)) && !Self.fits((400, 300), (400, 316)))
    #expect(try Self.fits((300, 400), (420, 315)), "on its side")
  }

  @Test(arguments: [
    (1, 1, true), (10_000, 10_000, true), (0, 1, false), (1, 0, false), (10_001, 1, false),
    (1, 10_001, false),
    (-1, 1, false), (1, -1, false),
  ])
  func `a size is plausible up to ten metres`(width: Int, height: Int, isPlausible: Bool) {
    #expect((PhysicalSize(width: width, height: height) != nil) == isPlausible)
  }

  private static let edid: [UInt8] = {
    var edid = [UInt8](repeating: 0, count: 128)
    edid.replaceSubrange(0..<8, with: [0, 255, 255, 255, 255, 255, 255, 0])
    (edid[21], edid[22]) = (30, 19)
    return edid
  }()

  private func size(_ changes: [Int: UInt8]) -> PhysicalSize? {
    var edid = Self.edid
    for (index, byte) in changes { edid[index] = byte }
    return PhysicalSize(edid: edid)
  }

  @Test func `the upper bits of an exact size are shared`() {
    #expect(size([54: 1, 66: 0x2e, 67: 0xbd, 68: 0x12]) == PhysicalSize(width: 0x12e, height: 0x2bd))
    #expect(size([54: 1, 66: 0x2e, 67: 0xbd, 68: 0xf0]) == PhysicalSize(width: 0xf2e, height: 0xbd))
    #expect(size([55: 1, 66: 50, 67: 40]) == PhysicalSize(width: 50, height: 40))
  }

  @Test func `without an exact size the centimetres count`() {
    let rounded = PhysicalSize(width: 300, height: 190)
    #expect(size([:]) == rounded)
    #expect(size([66: 50, 67: 40]) == rounded, "a descriptor without a pixel clock is no timing")
    #expect(size([54: 1, 66: 50]) == rounded && size([54: 1, 67: 40]) == rounded)
    #expect(size([21: 0]) == nil && size([22: 0]) == nil)
  }

  @Test(arguments: 0..<8)
  func `another header is no EDID`(index: Int) {
    #expect(size([index: 7]) == nil)
  }

  @Test func `the size of a connector is read`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("card1-eDP-1")
    try SystemFile.replace(directory["card1-eDP-1/edid"], with: Self.edid + Self.edid, mode: 0o600)
    let size = { PhysicalSize(connector: $0, in: directory.path) }
    #expect(size("eDP-1") == PhysicalSize(width: 300, height: 190))
    #expect(size("DP-1") == nil && size("eDP-11") == nil && size("x/../card1-eDP-1") == nil)
    try SystemFile.replace(directory["card1-eDP-1/edid"], with: Array(Self.edid.dropLast()), mode: 0o600)
    #expect(size("eDP-1") == nil)
  }
}
