// SPDX-License-Identifier: MIT

import Autorotation

/// A sequence of events with its expected results, read from a `.scenario` file. docs/scenarios.md describes the
/// format.
struct Scenario {
  /// A change of the world at a time.
  struct TimedChange {
    var time: Instant
    var change: World.WorldChange
  }

  var world = World()
  var timedChanges: [TimedChange] = []
  var expected = Expectations()

  /// How long the run continues after the last line, to detect unexpected actions.
  static let observationTime = Duration.seconds(30)

  var end: Instant {
    let last = timedChanges.map(\.time) + expected.times
    return (last.max() ?? Instant(nanoseconds: 0)) + Self.observationTime
  }
}

/// What a scenario expects.
struct Expectations {
  /// One entry of one of the lists below.
  struct Item {
    var line: Int
    var time: Instant
    /// The first word and, in this order, words that must occur.
    var words: [String]
  }

  /// A condition that must hold at a time.
  struct Check {
    var line: Int
    var time: Instant
    var text: String
    /// `nil` if it holds, else the actual value.
    var failure: (Snapshot) -> String?
  }

  /// The last reported state of the program.
  struct Snapshot {
    var status: Status?
    var demand = SensorDemand.off
  }

  /// `rotate`; with `will` and `did` if any of these occurs: all of them, in order.
  var rotations: [Item] = []
  /// `reports`, `refuses`, `saves`, `suggests` and so on, if the scenario has any: all of them, in order.
  var lists: [String: [Item]] = [:]
  var checks: [Check] = []

  static let listed: Set = [
    "reports", "refuses", "saves", "suggests", "rotates", "keeps", "remembers", "repairs",
  ]

  var comparesWillAndDid: Bool { rotations.contains { $0.words[0] != "rotate" } }

  var times: [Instant] {
    rotations.map(\.time) + lists.values.joined().map(\.time) + checks.map(\.time)
  }
}
