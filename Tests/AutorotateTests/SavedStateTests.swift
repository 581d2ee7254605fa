// SPDX-License-Identifier: MIT

import System
import Temporary
import Testing

@testable import Autorotation
@testable import autorotate

/// The state that the daemon keeps across restarts.
@MainActor
struct SavedStateTests {
  private let directory: TemporaryDirectory
  private var savedState: SavedState {
    let path = directory.path
    return SavedState { $0 == "XDG_STATE_HOME" ? path : nil }
  }

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `what is saved is loaded`() {
    #expect(savedState.autorotator.locking.savedLocks.isEmpty)
    let locks = [Posture.tablet: PostureLock.to(.left), .laptop: .free]
    let first = savedState
    #expect(first.save(.right) == nil)
    first.save(locks)
    first.save(rotations: ["DP-1": .left])
    let next = savedState.autorotator
    #expect(next.locking.lock?.orientation == .right)
    #expect(next.locking.savedLocks == locks && next.kept.orientations == ["DP-1": .left])
  }

  @Test func `without anything to remember there are no files`() {
    let savedState = savedState
    for orientation in [InterfaceOrientation.left, nil] {
      #expect(savedState.save(orientation) == nil)
      savedState.save(orientation.map { [.tablet: .to($0)] } ?? [:])
      savedState.save(rotations: orientation.map { ["DP-1": $0] } ?? [:])
    }
    #expect(SystemFile.names(in: directory["autorotate"]).isEmpty)
  }

  /// As 0.1.0 and 1.0.0-rc1 wrote them.
  @Test func `files of earlier versions are loaded`() throws {
    try directory.write("inverted\n", to: "autorotate/lock")
    try directory.write("laptop free\ntablet left\n", to: "autorotate/posture-locks")
    try directory.write("DP-1 left\nHDMI-A-1 inverted\n", to: "autorotate/outputs")
    let autorotator = savedState.autorotator
    #expect(autorotator.locking.lock?.orientation == .inverted)
    #expect(autorotator.locking.savedLocks == [.laptop: .free, .tablet: .to(.left)])
    #expect(autorotator.kept.orientations == ["DP-1": .left, "HDMI-A-1": .inverted])
  }

  @Test func `invalid values of the file are ignored`() throws {
    try directory.write("sideways\n", to: "autorotate/lock")
    try directory.write(
      "tablet left\nlaptop sideways\nboat left\ndocked\ndocked free more\n\u{1B}[31m\n",
      to: "autorotate/posture-locks")
    try directory.write("DP-1 left\nDP-2\nDP-3 sideways\n\u{1B}[31m left\n", to: "autorotate/outputs")
    let autorotator = savedState.autorotator
    #expect(autorotator.locking.lock == nil)
    #expect(autorotator.locking.savedLocks == [.tablet: .to(.left)])
    #expect(autorotator.kept.orientations == ["DP-1": .left])
  }
}
