// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation

/// In which form the status is told.
struct StatusOptions: ParsableArguments {
  @Flag(name: .long, help: .said("Tell the status as one JSON object a line."))
  var json = false

  @Option(
    name: .long, help: .said("Tell the status in one line, as status bars read it.", valueName: "bar"))
  var format: BarFormat?

  @Flag(name: .long, help: .said("Tell the status again at each change, until stopped."))
  var follow = false

  func validate() throws {
    guard !json || format == nil else { throw misuse("Give one of --json, --format.") }
  }

  /// The options that were given.
  var given: [String] {
    [(json, "--json"), (format != nil, "--format"), (follow, "--follow")].filter(\.0).map(\.1)
  }
}
