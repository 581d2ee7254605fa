// SPDX-License-Identifier: MIT

import Autorotation
import Temporary
import Testing

@testable import autorotate

/// What outputs have been seen to show, over a restart.
@MainActor
struct SavedTrialsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func saved(_ driver: String? = "i915") -> SavedTrials {
    let path = directory.path
    return SavedTrials(driver: { $0 == "eDP-1" ? driver : nil }) { $0 == "XDG_STATE_HOME" ? path : nil }
  }

  @Test func whatIsSavedIsLoaded() throws {
    let shown: [String: Set<InterfaceOrientation>] = ["eDP-1": [.normal, .left], "DP-1": [.right]]
    #expect(saved().load().isEmpty)
    try saved().save(shown)
    #expect(saved().load() == shown)
  }

  @Test func whatAnotherDriverHasShownCountsForNothing() throws {
    try saved().save(["eDP-1": [.normal, .left], "DP-1": [.right]])
    #expect(saved("xe").load() == ["DP-1": [.right]])
    #expect(saved(nil).load() == ["DP-1": [.right]])
  }

  @Test func whatMakesNoSenseIsLeftOut() throws {
    try directory.write(
      "eDP-1 i915 left sideways\neDP-1\nDP-1 -\nDP-2 - \u{1B}[31m\n", to: "autorotate/shown")
    #expect(saved().load() == ["eDP-1": [.left], "DP-2": []])
  }

  @Test func `outputs without end are left out`() throws {
    let lines = (0..<100).map { "DP-\($0) - left\n" }
    try directory.write(lines.joined(), to: "autorotate/shown")
    #expect(saved().load().count == 64)
  }
}
