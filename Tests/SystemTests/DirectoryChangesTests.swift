// SPDX-License-Identifier: MIT

import Glibc
import Temporary
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

  @Test func `changes are recorded in their order`() throws {
    let directory = try TemporaryDirectory()
    let changes = try DirectoryChanges()
    let number = try #require(try changes.add(directory.path, IN_CREATE))
    #expect(try changes.add("\(directory.path)/.", IN_MOVED_TO) == number, "the same directory")
    #expect(changes.take().isEmpty)
    try directory.makeDirectory("a name")
    try directory.makeDirectory("b")
    try #require(rename(directory["b"], directory["c"]) == 0)
    let found = changes.take()
    #expect(found.map(\.name) == ["a name", "b", "c"])
    #expect(found.allSatisfy { $0.directory == number && !$0.affectsAll })
    #expect(changes.take().isEmpty)
  }

  @Test func `the removal of a directory is recorded`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("below")
    let changes = try DirectoryChanges()
    let number = try #require(try changes.add(directory["below"], IN_CREATE))
    try #require(rmdir(directory["below"]) == 0)
    let found = changes.take()
    #expect(found.count == 2 && found.contains { $0.mask & UInt32(IN_DELETE_SELF) != 0 })
    #expect(found.allSatisfy { $0.directory == number && $0.name.isEmpty && $0.affectsAll })
  }

  @Test func `only an existing directory is watched`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "file")
    let changes = try DirectoryChanges()
    #expect(try changes.add(directory["nowhere"], IN_CREATE) == nil)
    #expect(try changes.add(directory["file"], IN_CREATE) == nil)
    let failure = #expect(throws: SystemError.self) {
      try changes.add("/\(String(repeating: "x", count: 300))", IN_CREATE)
    }
    #expect(failure?.code == ENAMETOOLONG)
  }

  @Test(arguments: [IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CLOSE_WRITE].map { Int($0) })
  func `a change below concerns one file`(mask: Int) {
    #expect(!change(mask).affectsAll)
  }
}
