// SPDX-License-Identifier: MIT

import Glibc
import Temporary
import Testing

@testable import System

/// How a file is replaced and removed.
struct DraftTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func mode(_ name: String) throws -> UInt32 {
    var status = stat()
    try #require(stat(directory[name], &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `a draft has a name that later writers know`() throws {
    var names: [String] = []
    try SystemFile.replace(directory["file"], with: [1], mode: 0o600) {
      names = SystemFile.names(in: directory.path)
      return true
    }
    let name = try #require(names.first)
    #expect(names.count == 1)
    let number = name.dropFirst("file.".count).dropLast(".new".count)
    #expect(name == "file.\(number).new" && number.count == 16 && number.allSatisfy(\.isHexDigit))
    try directory.write("", to: name)
    try SystemFile.replace(directory["file"], with: [2], mode: 0o600)
    #expect(SystemFile.names(in: directory.path) == ["file"])
  }

  /// Each differs from a draft in one way.
  @Test(arguments: [
    "filex0123456789abcdef.new", "file.0123456789abcdef.old", "file.0123456789abcdeg.new",
    "file.00123456789abcdef.new", "file.123456789abcdef.new",
  ])
  func `files of other programs are not removed`(name: String) throws {
    try directory.write("theirs", to: name)
    try SystemFile.replace(directory["file"], with: [], mode: 0o600)
    #expect(Set(SystemFile.names(in: directory.path)) == ["file", name])
  }

  @Test func `a replaced file gets the new mode`() throws {
    try directory.write("old", to: "file")
    try #require(chmod(directory["file"], 0o644) == 0)
    try SystemFile.replace(directory["file"], with: [], mode: 0o600)
    #expect(try mode("file") == 0o600)
  }

  @Test func `a new file has no rights to keep`() throws {
    try SystemFile.replace(directory["file"], with: [], mode: 0o640, keepsRights: true)
    #expect(try mode("file") == 0o640)
  }

  @Test func `a directory is not removed`() throws {
    try directory.makeDirectory("folder")
    #expect(throws: SystemError.self) { try SystemFile.remove(directory["folder"]) }
    #expect(SystemFile.isDirectory(directory["folder"]))
  }

  @Test(arguments: ["nowhere", "nowhere/below", "file/below"])
  func `removing a missing file is no error`(name: String) throws {
    try directory.write("", to: "file")
    try SystemFile.remove(directory[name])
    #expect(SystemFile.names(in: directory.path) == ["file"])
  }
}
