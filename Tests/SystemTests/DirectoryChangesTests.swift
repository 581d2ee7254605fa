// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import System

@MainActor struct DirectoryChangesTests {
  private func change(_ mask: Int) -> DirectoryChanges.Change {
    DirectoryChanges.Change(directory: -1, mask: UInt32(mask), name: "")
  }

  /// The kernel drops changes when its queue is full.
  @Test(arguments: [IN_Q_OVERFLOW, IN_IGNORED, IN_UNMOUNT, IN_DELETE_SELF, IN_MOVE_SELF].map { Int($0) })
  func `lost changes and a lost directory concern everything`(mask: Int) {
    #expect(change(mask).affectsAll)
  }

  @Test(arguments: [IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CLOSE_WRITE].map { Int($0) })
  func `a change below concerns one file`(mask: Int) {
    #expect(!change(mask).affectsAll)
  }
}
