// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation

/// The options that end a lock automatically.
struct LockEndOptions: ParsableArguments {
  @OptionGroup var time: TimeOption

  @Option(
    name: .customLong("while"),
    help: .localized(
      "Lock until this app loses focus; * and ? match any text and any character.",
      valueName: "app"), completion: .applications)
  var application: String?

  @OptionGroup var unfolded: UnfoldedOption

  func validate() throws {
    guard given.count <= 1 else {
      throw misuse("A lock can have only one end. Give one of \(given.joined(separator: ", ")).")
    }
    guard application != "" else {
      throw misuse("--while requires an app's name, as listed by `autorotate windows`.")
    }
  }

  private var given: [String] {
    [(time.duration != nil, "--for"), (application != nil, "--while"), (unfolded.isEnd, "--until-unfolded")]
      .filter(\.0).map(\.1)
  }

  var end: LockEnd<Duration>? {
    if let duration = time.duration { return .time(duration.time) }
    if let application { return .focus(application: application) }
    return unfolded.isEnd ? .unfolded : nil
  }
}

/// How long a lock lasts, or the time limit of a temporary unlock.
struct TimeOption: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: .localized(
      "With lock: lock for this time, such as 90s, 30m, 2h or 1h30m. With unlock: follow the device once within this time, then lock again.",
      valueName: "time"),
    completion: .times, transform: LockDuration.init(words:))
  var duration: LockDuration?
}

/// Whether a lock ends when the device leaves tablet mode.
struct UnfoldedOption: ParsableArguments {
  @Flag(name: .customLong("until-unfolded"), help: .localized("Lock until the device leaves tablet mode."))
  var isEnd = false
}

/// How long a lock lasts: "90s", "30m", "2h", "1h30m", "1d".
struct LockDuration: Equatable {
  /// At least one.
  let seconds: UInt32

  var time: Duration { .seconds(seconds) }

  private static let units: [(letter: Character, seconds: UInt64)] = [
    ("d", 86400), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// - Throws: `ValidationError` with the correct form.
  init(words: String) throws {
    var total: UInt64 = 0
    var rest = words[...]
    var units = Self.units[...]
    guard !rest.isEmpty else { throw Self.malformed }
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty else { throw Self.malformed }
      guard let letter = rest.popFirst() else {
        throw misuse("Write a unit: \(digits)s, \(digits)m or \(digits)h.")
      }
      guard let unit = units.firstIndex(where: { $0.letter == letter }) else { throw Self.malformed }
      guard let count = UInt32(digits) else { throw Self.tooLong }
      total += UInt64(count) * units[unit].seconds
      units = units[(unit + 1)...]
    }
    guard total > 0 else { throw misuse("A lock lasts at least 1s. To unlock: autorotate unlock") }
    guard let seconds = UInt32(exactly: total) else { throw Self.tooLong }
    self.seconds = seconds
  }

  private static let malformed = misuse(
    "Write whole days, hours, minutes and seconds, in this order: 90s, 30m, 2h, 1h30m.")

  private static let tooLong = misuse("That time is too long. Without --for a lock has no end.")
}
