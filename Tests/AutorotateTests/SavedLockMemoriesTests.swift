// SPDX-License-Identifier: MIT

import Autorotation
import Temporary
import Testing

@testable import autorotate

/// How the lock was left in each posture, over a restart.
@MainActor
struct SavedLockMemoriesTests {
  private let directory: TemporaryDirectory
  private var saved: SavedLockMemories {
    let path = directory.path
    return SavedLockMemories { $0 == "XDG_STATE_HOME" ? path : nil }
  }

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func whatIsSavedIsLoaded() throws {
    #expect(saved.load().isEmpty)
    try saved.save([.tablet: .locked(.left), .laptop: .free])
    #expect(saved.load() == [.tablet: .locked(.left), .laptop: .free])
    try saved.save([:])
    #expect(saved.load().isEmpty)
  }

  @Test func whatMakesNoSenseIsLeftOut() throws {
    try directory.write(
      "tablet left\nlaptop sideways\nboat left\ndocked\ndocked free more\n\u{1B}[31m\n",
      to: "autorotate/posture-locks")
    #expect(saved.load() == [.tablet: .locked(.left)])
  }
}
