// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import autorotate

struct PictureTests {
  private static let icons = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "packaging/icons")

  private func pixel(_ picture: Picture, _ x: Int, _ y: Int, side: Int = 24) -> [UInt8] {
    let bytes = picture.pixels(side: side)
    return Array(bytes[(y * side + x) * 4..<(y * side + x) * 4 + 4])
  }

  @Test func shapesLieWhereTheyShould() {
    let box = Picture(parts: [
      .init(.tablet(centre: .init(12, 8), width: 8, height: 4, radius: 0, degrees: 0), .filled, 0x102030)
    ])
    #expect(pixel(box, 12, 8) == [255, 0x10, 0x20, 0x30])
    #expect(pixel(box, 8, 6) == [255, 0x10, 0x20, 0x30])
    #expect(pixel(box, 7, 6) == [0, 0, 0, 0])
    #expect(pixel(box, 12, 12) == [0, 0, 0, 0])
    let turned = Picture(parts: [
      .init(.tablet(centre: .init(12, 12), width: 16, height: 2, radius: 0, degrees: 90), .filled, 0xFF_FF_FF)
    ])
    #expect(pixel(turned, 12, 5)[0] == 255)
    #expect(pixel(turned, 5, 12)[0] == 0)
  }

  @Test func anglesAreClockwiseFromTheRight() {
    let arc = Picture(parts: [
      .init(.arc(centre: .init(12, 12), radius: 8, from: 10, to: 80), .stroked(3), 0)
    ])
    #expect(pixel(arc, 17, 17)[0] == 255)
    #expect(pixel(arc, 17, 6)[0] == 0)
    let triangle = Picture(parts: [
      .init(.triangle(.init(4, 4), .init(20, 4), .init(4, 20)), .filled, 0)
    ])
    #expect(pixel(triangle, 6, 6)[0] == 255)
    #expect(pixel(triangle, 18, 18)[0] == 0)
  }

  @Test(arguments: [22, 64])
  func everyStateLooksDifferent(_ side: Int) {
    let pictures = RotationState.allCases.map { $0.picture.pixels(side: side) }
    #expect(pictures.allSatisfy { $0.count == side * side * 4 })
    #expect(Set(pictures).count == pictures.count)
  }

  /// With AUTOROTATE_DRAW_ICONS set, it draws them instead.
  @Test(arguments: RotationState.allCases)
  func theShippedIconIsTheDrawnOne(_ state: RotationState) throws {
    let file = Self.icons.appending(path: "\(state.iconName).svg")
    if ProcessInfo.processInfo.environment["AUTOROTATE_DRAW_ICONS"] != nil {
      try Data(state.picture.svg.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == state.picture.svg)
  }
}
