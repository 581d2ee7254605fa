// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

@MainActor struct DisplaySocketTests {
  @Test func `Wayland is asked for a sync with a new object`() {
    let question = DisplaySocket(language: .wayland, path: "").question
    let words = question.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    #expect(words == [1, 12 << 16, 2])
  }

  @Test func `X11 is greeted in this machine's byte order`() {
    let question = DisplaySocket(language: .x11, path: "").question
    #expect(question.count == 12)
    let version = question[2...5].withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(version == [11, 0])
  }
}
