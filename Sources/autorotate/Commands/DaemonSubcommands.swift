// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// A sub-command that asks one thing of the daemon.
protocol DaemonSubcommand: ParsableCommand {
  func command() throws -> DaemonCommand
}

extension DaemonSubcommand {
  mutating func run() throws {
    let command = try command()
    let status = try MainActor.assumeIsolated { try command.perform() }
    guard status == .done else { throw status }
  }
}

struct LockCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: localized("Lock the screen orientation."))

  @Argument(help: .said("Which way to lock it; without one, as it is shown.", valueName: "orientation"))
  var target: TypedOrientation?

  @OptionGroup var end: LockEndOptions

  func validate() throws {
    guard let target else { return }
    if let meant = Self.meant(by: target.word) {
      throw misuse("\"\(target.word)\" is not an orientation. Did you mean `autorotate \(meant)`?")
    }
    _ = try target.wish()
  }

  /// The command line that words mean which other programs take after "lock".
  private static func meant(by word: String) -> String? {
    switch word.lowercased() {
    case "off", "no", "false": "unlock"
    case "on", "yes", "true": "lock"
    case "toggle": "toggle"
    default: (try? LockDuration(words: word)).map { _ in "lock --for \(word)" }
    }
  }

  func command() throws -> DaemonCommand { .lock(try target?.wish(), until: end.end) }
}

struct UnlockCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: localized("Unlock; the screen follows the device again."))

  @OptionGroup var time: TimeOption

  func command() -> DaemonCommand { time.duration.map { .followOnce($0.time) } ?? .unlock }
}

struct ToggleCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: localized("Lock the screen orientation, or unlock."))

  func command() -> DaemonCommand { .toggleLock }
}

struct RotateCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: localized("Rotate now; a lock moves with it."))

  /// The parser gives --output to it.
  @ParentCommand var whole: Autorotate

  @Argument(help: .said("Which way to turn it.", valueName: "orientation"))
  var target: TypedOrientation?

  @Flag(help: .said("Take the turn that is offered while the picture is locked."))
  var offered = false

  @OptionGroup var unfolded: UnfoldedOption
  @OptionGroup var display: OutputOption

  func validate() throws {
    guard (target == nil) == offered else {
      throw misuse("Say which way, as in autorotate rotate left, or --offered.")
    }
    _ = try wish
  }

  /// `nil` for what is offered, which is also a word.
  private var wish: OrientationWish? {
    get throws { target?.word == "offered" ? nil : try target?.wish() }
  }

  func command() throws -> DaemonCommand {
    let output = whole.daemon.output
    guard let wish = try wish else {
      guard output == nil else {
        throw misuse("What is offered is a turn of the panel: leave --output out.")
      }
      guard !unfolded.isEnd else { throw misuse("--until-unfolded goes with an orientation.") }
      return .takeSuggestion
    }
    guard unfolded.isEnd else { return .rotate(wish, output: output) }
    guard output == nil else { throw misuse("--until-unfolded locks the panel: leave --output out.") }
    return .lock(wish, until: .unfolded)
  }
}

struct HoldCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "hold", abstract: localized("Pause auto-rotation."), aliases: ["pause"])

  func command() -> DaemonCommand { .hold(true) }
}

struct ReleaseCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: localized("Resume auto-rotation."), aliases: ["resume"])

  func command() -> DaemonCommand { .hold(false) }
}

struct PostureCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "posture",
    abstract: localized("Set the posture by hand, or back to automatic."))

  @Argument(help: .said("One of: \(PostureChoice.allValueStrings.joined(separator: ", "))."))
  var choice: PostureChoice

  func command() -> DaemonCommand { .setPosture(choice) }
}

struct QuitCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: localized("Stop the daemon of this session."))

  func command() -> DaemonCommand { .quit }
}

// MARK: What came of it

extension DaemonCommand {
  /// Whether it is done only when the panel has rotated.
  var isRotation: Bool {
    switch self {
    case .lock(_?, _), .rotate(_, output: nil), .takeSuggestion: true
    default: false
    }
  }

  /// What it did, in one line for the person who typed it.
  func confirmation(in report: StatusReport) -> String {
    if turnsPanel, report.isTurning || report.waitsForFinger, let why = report.sentences.last { return why }
    return localized(confirming(report))
  }

  private var turnsPanel: Bool {
    switch self {
    case .hold(true), .setPosture, .rotate(_, output: _?): false
    default: true
    }
  }

  private func confirming(_ report: StatusReport) -> Phrase {
    switch self {
    case .rotate(_, let output?): "\(output) is turned, and stays so."
    case .rotate where report.lock.isEmpty, .takeSuggestion where report.lock.isEmpty:
      "The picture is turned to \(report.orientation)."
    case .followOnce where report.reasonCodes.contains(Message.Code.followsOnce.rawValue):
      "The picture follows the device once, and is locked again."
    case .setPosture: "The posture is \(report.postureWords)."
    case .hold(true): "Auto-rotation is on hold; to go on: autorotate release"
    case .hold(false): "Auto-rotation goes on."
    default: "The picture is \(report.lockWords)."
    }
  }

  /// Where the picture does not become what was asked for, in a sentence each.
  func surprises(in report: StatusReport) -> [String] {
    [surprisingPicture(report), surprisingPosture(report)].compactMap(\.self).map(localized)
      + [changesLock ? report.sentence(of: .lockNotSaved) : nil].compactMap(\.self)
  }

  private var changesLock: Bool {
    switch self {
    case .lock, .unlock, .toggleLock, .rotate(_, output: nil), .takeSuggestion: true
    default: false
    }
  }

  private func surprisingPicture(_ report: StatusReport) -> Phrase? {
    guard let asked = asked(report), report.orientation != asked else { return nil }
    let request: Phrase = if case .lock = self { "Locked to \(asked)" } else { "Asked for \(asked)" }
    guard report.allowed.contains(asked) else {
      let allowed = report.allowed.joined(separator: ", ")
      return "\(request), but allowed now is only \(allowed); autorotate --status tells why."
    }
    guard !report.isTurning, !report.waitsForFinger else { return nil }
    return "\(request), which is not shown now; autorotate --status tells why."
  }

  /// The orientation that was asked for, as far as the words or the lock tell.
  private func asked(_ report: StatusReport) -> String? {
    switch self {
    case .lock(let wish?, _): wish.orientation?.word ?? (report.lock.isEmpty ? nil : report.lock)
    case .rotate(let wish, output: nil): wish.orientation?.word
    default: nil
    }
  }

  private func surprisingPosture(_ report: StatusReport) -> Phrase? {
    guard case .lock(_, .unfolded) = self, report.posture == Posture.unknown.rawValue else { return nil }
    return "This device does not tell whether it is unfolded, so the lock ends with: autorotate --unlock"
  }
}
