// SPDX-License-Identifier: MIT

import Autorotation

/// A story with its expected end, read from a `.scenario` file. docs/scenarios.md tells the format.
struct Scenario {
  /// Something that happens at a time.
  struct Happening {
    var time: Instant
    var occurrence: World.Occurrence
  }

  var world = World()
  var happenings: [Happening] = []
  var expected = Expectations()

  /// How long the run goes on after the last line, for what should not happen any more.
  static let aftermath = Duration.seconds(30)

  var end: Instant {
    let last = happenings.map(\.time) + expected.times
    return (last.max() ?? Instant(nanoseconds: 0)) + Self.aftermath
  }
}

/// What a scenario expects.
struct Expectations {
  /// One entry of one of the lists below.
  struct Item {
    var line: Int
    var time: Instant
    /// The first word and, in this order, such as must occur.
    var words: [String]
  }

  /// Something that must be so at a time.
  struct Check {
    var line: Int
    var time: Instant
    var text: String
    /// `nil` if it is so, else what is.
    var failure: (Snapshot) -> String?
  }

  /// What the program told last.
  struct Snapshot {
    var status: Status?
    var demand = SensorDemand.off
  }

  /// `rotate`, and `will` and `did` if any of these is there: all of them, in order.
  var turns: [Item] = []
  /// `reports`, `refuses`, `saves` and `suggests`, if the scenario cares: then all of them, in order.
  var lists: [String: [Item]] = [:]
  var checks: [Check] = []

  static let listed: Set = [
    "reports", "refuses", "saves", "suggests", "turns", "keeps", "remembers", "repairs",
  ]

  var comparesWillAndDid: Bool { turns.contains { $0.words[0] != "rotate" } }

  var times: [Instant] {
    turns.map(\.time) + lists.values.joined().map(\.time) + checks.map(\.time)
  }
}
