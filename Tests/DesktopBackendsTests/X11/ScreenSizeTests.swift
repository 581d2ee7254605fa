// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// The size of the X screen in millimetres, from which programs compute their scale.
@MainActor
struct ScreenSizeTests {
  private static let screen = RandRState.Screen(
    size: PixelSize(width: 1000, height: 600), millimetres: PixelSize(width: 301, height: 181))

  private static func server(largest width: Int, _ height: Int) -> RandRState {
    RandRState(
      timestamps: RandRState.Timestamps(set: 0, configured: 0), screen: screen,
      largestScreen: PixelSize(width: width, height: height), modes: [:], crtcs: [], connectors: [])
  }

  private func millimetres(_ width: Int, _ height: Int) -> [Int] {
    let size = PixelSize(width: width, height: height)
    let resized = Self.screen.resized(to: size)
    #expect(resized.size == size)
    return [resized.millimetres.width, resized.millimetres.height]
  }

  @Test func `the pixel density stays`() {
    #expect(millimetres(1000, 600) == [301, 181])
    #expect(millimetres(600, 1000) == [181, 301], "a rotated screen is exact")
    #expect(millimetres(2000, 1200) == [602, 362] && millimetres(500, 300) == [151, 91])
    #expect(millimetres(1000, 604) == [301, 182] && millimetres(1000, 603) == [301, 182])
    #expect(millimetres(1000, 601) == [301, 181] && millimetres(1, 1) == [1, 1])
  }

  @Test func `a screen without pixels keeps its millimetres`() {
    let millimetres = PixelSize(width: 5, height: 6)
    let empty = RandRState.Screen(size: PixelSize(width: 0, height: 0), millimetres: millimetres)
    #expect(empty.resized(to: PixelSize(width: 100, height: 50)).millimetres == millimetres)
  }

  @Test(arguments: [
    (32_767, 32_767, true), (32_768, 1, false), (1, 32_768, false), (8192, 4096, true),
  ])
  func `positions have sixteen bits`(width: Int, height: Int, isAllowed: Bool) {
    #expect(Self.server(largest: 65_536, 65_536).allowsScreen(width: width, height: height) == isAllowed)
  }

  @Test func `the server's largest screen is a limit`() {
    let server = Self.server(largest: 8192, 4096)
    #expect(server.allowsScreen(width: 8192, height: 4096))
    #expect(!server.allowsScreen(width: 8193, height: 4096))
    #expect(!server.allowsScreen(width: 8192, height: 4097))
  }

  @Test(arguments: [(0, 0, 100), (9, 9, 1), (10, 0, 0), (0, 10, 0), (-5, 5, 25), (20, 20, 0)])
  func `the common area is in pixels`(x: Int, y: Int, area: Int) {
    let one = ScreenRectangle(x: 0, y: 0, width: 10, height: 10)
    #expect(one.commonArea(with: one.moved(x: x, y: y)) == area)
  }
}
