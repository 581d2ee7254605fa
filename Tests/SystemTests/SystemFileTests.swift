// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

struct SystemFileTests {
  /// Whole entries were copied, of which the last ones in the C library's buffer are shorter than their type: with the
  /// address sanitizer that ends the process.
  @Test func namesAreReadToTheirEndsAndNoFurther() throws {
    let directory = try TemporaryDirectory()
    let names = (1...1500).map { "file\($0)" } + [String(repeating: "x", count: 255)]
    for name in names { close(open(directory[name], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
    #expect(Set(SystemFile.names(in: directory.path)) == Set(names))
    #expect(SystemFile.names(in: directory["nowhere"]).isEmpty)
  }

  @Test func whatIsNoLongerWantedWhenTheDraftIsWrittenIsNot() throws {
    let directory = try TemporaryDirectory()
    try directory.write("old", to: "file")
    let failure = #expect(throws: SystemError.self) {
      try SystemFile.replace(directory["file"], with: Array("new".utf8), mode: 0o600) {
        SystemFile.names(in: directory.path).count == 1
      }
    }
    #expect(failure?.code == ESTALE)
    #expect(try directory.text("file") == "old")
    #expect(SystemFile.names(in: directory.path) == ["file"])
    try SystemFile.replace(directory["file"], with: Array("new".utf8), mode: 0o600) { true }
    #expect(try directory.text("file") == "new")
  }

  @Test func `directories cannot be made below a file`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "file")
    let failure = #expect(throws: SystemError.self) {
      try SystemFile.makeDirectories(above: directory["file/below/name"], mode: 0o700)
    }
    #expect(failure?.code == ENOTDIR)
    try SystemFile.makeDirectories(above: directory["some/below/name"], mode: 0o700)
    #expect(SystemFile.names(in: directory["some"]) == ["below"])
  }

  @Test func `a draft that cannot take its place is removed`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "folder/inside")
    #expect(throws: SystemError.self) {
      try SystemFile.replace(directory["folder"], with: Array("new".utf8), mode: 0o600) { true }
    }
    #expect(SystemFile.names(in: directory.path) == ["folder"])
  }
}
