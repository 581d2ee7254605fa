// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

struct ProgramSearchTests {
  /// A directory can be searched, which access(2) does not distinguish from a program that can be run.
  @Test func `a directory is not a program`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("sh")
    let search = ProgramSearch { _ in "\(directory.path):/bin" }
    #expect(search.path(of: "sh") == "/bin/sh")
    #expect(
      search.path(of: "") == nil && search.path(of: ".") == nil && search.path(of: directory.path) == nil)
  }

  @Test func `the first program that may be run is found`() throws {
    let directory = try TemporaryDirectory()
    for name in ["a/tool", "b/tool", "c/tool"] {
      try directory.write("", to: name)
      try #require(chmod(directory[name], name == "b/tool" ? 0o600 : 0o700) == 0)
    }
    let search = ProgramSearch(first: [directory["b"]]) { _ in "\(directory["c"]):\(directory["a"])" }
    #expect(search.path(of: "tool") == directory["c/tool"])
    #expect(search.path(of: directory["a/tool"]) == directory["a/tool"])
    #expect(
      ProgramSearch(first: [directory["a"]]) { _ in directory["c"] }.path(of: "tool") == directory["a/tool"])
  }

  /// Otherwise programs in the working directory could be started.
  @Test func `relative directories of PATH are ignored`() {
    let relative = String(repeating: "../", count: 40) + "bin"
    #expect(ProgramSearch { _ in "\(relative):/bin" }.path(of: "sh") == "/bin/sh")
    #expect(ProgramSearch { _ in relative }.path(of: "sh") == nil)
  }
}
