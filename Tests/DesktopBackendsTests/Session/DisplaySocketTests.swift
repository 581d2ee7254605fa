// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

@MainActor struct DisplaySocketTests {
  @Test func `the probe of Wayland is a sync request`() {
    let probe = DisplaySocket(kind: .wayland, path: "").probe
    let words = probe.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    #expect(words == [1, 12 << 16, 2])
  }

  @Test func `the probe of X11 has this machine's byte order`() {
    let probe = DisplaySocket(kind: .x11, path: "").probe
    #expect(probe.count == 12)
    let version = probe[2...5].withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(version == [11, 0])
  }
}
