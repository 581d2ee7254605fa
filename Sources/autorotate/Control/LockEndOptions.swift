// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation

/// What ends a lock by itself.
struct LockEndOptions: ParsableArguments {
  @OptionGroup var time: TimeOption

  @Option(
    name: .customLong("while"),
    help: .said(
      "Lock until this application loses focus; * and ? stand for any text and character.",
      valueName: "app"), completion: .applications)
  var application: String?

  @OptionGroup var unfolded: UnfoldedOption

  func validate() throws {
    guard given.count <= 1 else {
      throw misuse("A lock has one end: give one of \(given.joined(separator: ", ")).")
    }
    guard application != "" else {
      throw misuse("--while takes an application's name, as --status tells it.")
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

/// How long a lock lasts, or how soon the device has to turn when it is lifted.
struct TimeOption: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: .said(
      "Lock for a time, such as 90s, 30m, 2h or 1h30m; or unlock: follow the device once within that time, and lock again.",
      valueName: "time"),
    completion: .times, transform: LockDuration.init(words:))
  var duration: LockDuration?
}

/// Whether a lock, or a turn that is locked, ends with tablet posture.
struct UnfoldedOption: ParsableArguments {
  @Flag(
    name: .customLong("until-unfolded"),
    help: .said("Lock, or turn and lock, until the device leaves tablet posture."))
  var isEnd = false
}

/// How long a lock lasts: "90s", "30m", "2h", "1h30m", "1d".
struct LockDuration: Equatable {
  /// At least one.
  let seconds: UInt32

  var time: Duration { .seconds(seconds) }

  private static let units: [(letter: Character, seconds: UInt32)] = [
    ("d", 86400), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// - Throws: `ValidationError`, with what to write instead.
  init(words: String) throws {
    var total: UInt32 = 0
    var rest = words[...]
    var units = Self.units[...]
    guard !rest.isEmpty else { throw Self.malformed }
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty else { throw Self.malformed }
      guard let letter = rest.popFirst() else { throw Self.unitless(digits) }
      guard let unit = units.firstIndex(where: { $0.letter == letter }) else { throw Self.malformed }
      total = try Self.sum(total, digits, of: units[unit].seconds)
      units = units[(unit + 1)...]
    }
    guard total > 0 else { throw misuse("A lock lasts at least 1s; --unlock ends one.") }
    seconds = total
  }

  private static func sum(_ total: UInt32, _ digits: Substring, of unit: UInt32) throws -> UInt32 {
    guard let count = UInt32(digits) else { throw tooLong }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
    let (sum, carried) = total.addingReportingOverflow(seconds)
    guard !overflow, !carried else { throw tooLong }
    return sum
  }

  private static let malformed = misuse(
    "Write whole days, hours, minutes and seconds, in this order: 90s, 30m, 2h, 1h30m.")

  private static let tooLong = misuse(
    "That is more than a lifetime; without --for a lock has no end.")

  private static func unitless(_ digits: Substring) -> ValidationError {
    misuse("Write a unit: \(digits)s, \(digits)m or \(digits)h.")
  }
}
