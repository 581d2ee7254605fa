// SPDX-License-Identifier: MIT

import Foundation
import Temporary
import Testing

@testable import DesktopBackends

/// What KWin's own rotation was outlives a crash.
@MainActor struct KeptRotationPoliciesTests {
  private let directory: TemporaryDirectory
  private var file: String { directory["state/autorotate/kwin-rotation"] }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func kept() -> KeptRotationPolicies {
    let state = directory["state"]
    return KeptRotationPolicies(variable: { $0 == "XDG_STATE_HOME" ? state : nil })
  }

  @Test func aRunThatWasKilledLeavesItToTheNext() {
    var first = kept()
    #expect(first["eDP-1"] == nil)
    let isKept = first.keep(.inTabletMode, for: "eDP-1")
    #expect(isKept)
    var second = kept()
    #expect(second["eDP-1"] == .inTabletMode)
    #expect(second.outputs == ["eDP-1"])
    second.forget("eDP-1")
    #expect(kept()["eDP-1"] == nil)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func aSpoiltFileIsNoCrash() throws {
    var first = kept()
    _ = first.keep(.always, for: "x")
    let spoilt = "eDP-1 always\neDP-2 sideways\n\u{0}\nDP-1\n a b c\n" + String(repeating: "x", count: 9000)
    try spoilt.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(kept().outputs == ["eDP-1"])
  }

  @Test func withoutAPlaceItSaysSo() {
    var nowhere = KeptRotationPolicies(variable: { _ in nil })
    let isKept = nowhere.keep(.always, for: "eDP-1")
    #expect(!isKept)
    #expect(nowhere["eDP-1"] == .always)
  }
}
