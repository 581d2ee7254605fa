// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import autorotate

@Suite("the options that sessions start it with")
struct DaemonOptionsTests {
  @Test(arguments: [
    [], ["--wait"], ["--greeter"], ["--wait", "--unless-running"],
    ["--unless-running", "--greeter", "--wait"],
  ])
  func `plain options are read as by the parser`(words: [String]) throws {
    let parsed = try #require(try Autorotate.parseAsRoot(words) as? DaemonRun)
    #expect(DaemonOptions(plainWords: words) == parsed.options)
  }

  @Test(arguments: ["--sensor", "--wa", "--wait=yes", "--lock", "status", "--help", "--version", "", "--"])
  func `other options are left to the parser`(word: String) {
    #expect(DaemonOptions(plainWords: ["--wait", word]) == nil)
  }
}
