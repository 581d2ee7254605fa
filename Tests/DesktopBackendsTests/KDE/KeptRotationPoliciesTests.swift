// SPDX-License-Identifier: MIT

import Foundation
import System
import Temporary
import Testing

@testable import DesktopBackends

/// KWin's previous rotation policies survive a crash.
@MainActor struct KeptRotationPoliciesTests {
  private let directory: TemporaryDirectory
  private var file: String { directory["state/autorotate/kwin-rotation"] }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func kept() -> StateTable<KWinRotationPolicy> {
    let state = directory["state"]
    return StateTable(variable: { $0 == "XDG_STATE_HOME" ? state : nil })
  }

  @Test func `the next run reads what a killed one kept`() throws {
    var first = kept()
    #expect(first["eDP-1"] == nil)
    try first.keep(.inTabletMode, for: "eDP-1")
    var second = kept()
    #expect(second["eDP-1"] == .inTabletMode)
    #expect(second.names == ["eDP-1"])
    second.forget("eDP-1")
    #expect(kept()["eDP-1"] == nil)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `invalid lines of the file are skipped`() throws {
    var first = kept()
    try first.keep(.always, for: "x")
    let text = "eDP-1 always\neDP-2 sideways\n\u{0}\nDP-1\n a b c\n" + String(repeating: "x", count: 9000)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(kept().names == ["eDP-1"])
  }

  /// As written by 0.1.0 and 1.0.0-rc1.
  @Test func `files of earlier versions are read`() throws {
    try directory.write("*kscreen* always\neDP-1 in-tablet-mode\n", to: "state/autorotate/kwin-rotation")
    #expect(kept().values == ["*kscreen*": .always, "eDP-1": .inTabletMode])
  }
}
