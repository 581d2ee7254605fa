// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import autorotate

struct HelpTextTests {
  /// ArgumentParser has no room for words there: built for debugging it crashed, and with that the program.
  @Test(arguments: ["0", "-1", "1", "26"])
  func helpOnANarrowTerminalIsNoCrash(columns: String) throws {
    let width = try #require(HelpText.columns(said: columns, output: -1))
    #expect(Autorotate.fullMessage(for: CleanExit.helpRequest(), columns: width).contains("--lock"))
  }

  @Test(arguments: [nil, "", "no number", "40", "200"])
  func otherWidthsAreLeftToTheTerminal(columns: String?) {
    #expect(HelpText.columns(said: columns, output: -1) == nil)
  }
}
