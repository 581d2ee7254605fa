// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation

/// What ends a lock by itself.
struct LockEndOptions: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: .said("With --lock: for a time, such as 90s, 30m, 2h or 1h30m.", valueName: "time"),
    transform: LockDuration.init(words:))
  var duration: LockDuration?

  @Option(
    name: .customLong("while"),
    help: .said(
      "With --lock: until this application loses focus; * and ? stand for any text and character.",
      valueName: "app"))
  var application: String?

  @Flag(name: .long, help: .said("With --lock: until the device leaves tablet posture."))
  var untilUnfolded = false

  func validate() throws {
    guard given.count <= 1 else {
      throw misuse("A lock has one end: give one of \(given.joined(separator: ", ")).")
    }
    guard application != "" else {
      throw misuse("--while takes an application's name, as --status tells it.")
    }
  }

  /// The options that were given.
  var given: [String] {
    [(duration != nil, "--for"), (application != nil, "--while"), (untilUnfolded, "--until-unfolded")]
      .filter(\.0).map(\.1)
  }

  @MainActor
  var end: ControlClient.LockEnd? {
    if let duration { return .after(seconds: duration.seconds) }
    if let application { return .focusLost(application: application) }
    return untilUnfolded ? .unfolded : nil
  }
}
