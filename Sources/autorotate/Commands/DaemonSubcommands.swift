// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// A sub-command that sends one command to the daemon.
protocol DaemonSubcommand: ParsableCommand {
  func command() throws -> DaemonCommand
}

extension DaemonSubcommand {
  mutating func run() throws {
    let command = try command()
    throw try MainActor.assumeIsolated { try command.perform() }
  }
}

struct LockCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: localized("Lock the screen orientation."))

  @Argument(help: .localized("The orientation; by default the current one.", valueName: "orientation"))
  var target: TypedOrientation?

  @OptionGroup var end: LockEndOptions

  func validate() throws {
    guard let target else { return }
    if let meant = Self.meant(by: target.word) {
      throw misuse("\"\(target.word)\" is not an orientation. Did you mean `autorotate \(meant)`?")
    }
    _ = try target.rotationTarget()
  }

  /// The right command line for arguments that other programs accept after "lock".
  private static func meant(by word: String) -> String? {
    switch word.lowercased() {
    case "off", "no", "false": "unlock"
    case "on", "yes", "true": "lock"
    case "toggle": "toggle"
    default: (try? LockDuration(words: word)).map { _ in "lock --for \(word)" }
    }
  }

  func command() throws -> DaemonCommand { .lock(try target?.rotationTarget(), until: end.end) }
}

struct UnlockCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: localized("Unlock; the screen follows the device again."))

  @OptionGroup var time: TimeOption

  func command() -> DaemonCommand { time.duration.map { .unlockOnce($0.time) } ?? .unlock }
}

struct ToggleCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: localized("Lock the screen orientation, or unlock."))

  func command() -> DaemonCommand { .toggleLock }
}

struct RotateCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: localized("Rotate now; a lock moves with it."),
    discussion: localized(
      "left means that the left edge of the device is up, right that its right edge is. next and previous rotate by a quarter."
    ))

  @Argument(help: .localized("The orientation to rotate to.", valueName: "orientation"))
  var target: TypedOrientation?

  @Flag(help: .localized("Accept the rotation that is suggested while the screen is locked."))
  var offered = false

  @OptionGroup var unfolded: UnfoldedOption
  @OptionGroup var display: OutputOption

  func validate() throws {
    guard (target == nil) == offered else {
      throw misuse("Give an orientation, as in autorotate rotate left, or --offered.")
    }
    _ = try rotationTarget
  }

  /// `nil` for the suggested orientation, which can also be written as a word.
  private var rotationTarget: RotationTarget? {
    get throws { target?.word == "offered" ? nil : try target?.rotationTarget() }
  }

  func command() throws -> DaemonCommand {
    let output = display.output
    guard let rotation = try rotationTarget else {
      guard output == nil else { throw misuse("A suggestion is for the panel. Leave out --output.") }
      guard !unfolded.isEnd else { throw misuse("--until-unfolded requires an orientation.") }
      return .acceptSuggestion
    }
    guard unfolded.isEnd else { return .rotate(rotation, output: output) }
    guard output == nil else { throw misuse("--until-unfolded locks the panel. Leave out --output.") }
    return .lock(rotation, until: .unfolded)
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
    commandName: "posture", abstract: localized("Set the posture by hand, or back to automatic."))

  @Argument(help: .localized("One of: \(PostureChoice.allValueStrings.joined(separator: ", "))."))
  var choice: PostureChoice

  func command() -> DaemonCommand { .setPosture(choice) }
}

struct QuitCommand: DaemonSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: localized("Stop the daemon of this session."))

  func command() -> DaemonCommand { .quit }
}

// MARK: Results

extension DaemonCommand {
  /// Whether the command is complete only when the panel has rotated.
  var isRotation: Bool {
    switch self {
    case .lock(_?, _), .rotate(_, output: nil), .acceptSuggestion: true
    default: false
    }
  }

  /// Without the name of a panel that auto-rotation rotates, since the daemon then rotates all of them as without it.
  func withoutPanelName(in report: StatusReport) -> DaemonCommand {
    guard case .rotate(let target, let output?) = self, report.outputs.contains(output) else { return self }
    return .rotate(target, output: nil)
  }

  /// The result in one line, for the user who typed the command.
  /// - Parameter before: the status before the command.
  func confirmation(in report: StatusReport, after before: StatusReport? = nil) -> String {
    if rotatesPanel, report.awaitsRotation, let why = report.sentences.last {
      return why
    }
    return localized(before.flatMap { unchanged($0, report) } ?? confirming(report))
  }

  /// The lock, which is set although the screen is not rotated now; `nil` without one.
  func confirmationWithoutRotation(in report: StatusReport) -> String? {
    guard !report.lock.isEmpty else { return nil }
    let isLater = report.isInvisible && report.orientation != report.lock
    let later: Phrase = isLater ? " autorotate rotates it when it is visible again." : ""
    return localized("\(confirming(report))\(later)")
  }

  /// If the command has changed nothing.
  private func unchanged(_ before: StatusReport, _ report: StatusReport) -> Phrase? {
    guard before.lock.isEmpty, report.lock.isEmpty else { return nil }
    switch self {
    case .unlock: return "The screen was already unlocked."
    case .rotate(_, output: nil) where before.orientation == report.orientation:
      return "The screen was already \(report.orientationName)."
    default: return nil
    }
  }

  private var rotatesPanel: Bool {
    switch self {
    case .hold(true), .setPosture, .rotate(_, output: _?): false
    default: true
    }
  }

  private func confirming(_ report: StatusReport) -> Phrase {
    switch self {
    case .rotate(_, let output?):
      report.sentence(onKept: output)
        ?? "\(output) is upright, and autorotate no longer keeps its orientation."
    case .rotate where report.lock.isEmpty, .acceptSuggestion where report.lock.isEmpty:
      "The screen is now \(report.orientationName)."
    case .unlockOnce where report.reasonCodes.contains(Message.Code.unlockedOnce.rawValue):
      "The screen follows the device once, then locks again."
    case .setPosture: "The posture is \(report.postureWords)."
    case .hold(true): "Auto-rotation is paused. To resume: autorotate resume"
    case .hold(false): "Auto-rotation is resumed."
    default: "The screen is \(report.lockWords)."
    }
  }

  /// One sentence for each way in which the result differs from the command.
  func differences(in report: StatusReport) -> [String] {
    [unexpectedOrientation(report), unreportedPosture(report)].compactMap(\.self).map(localized)
      + [changesLock ? report.sentence(of: .lockNotSaved) : nil].compactMap(\.self)
  }

  private var changesLock: Bool {
    switch self {
    case .lock, .unlock, .toggleLock, .rotate(_, output: nil), .acceptSuggestion: true
    default: false
    }
  }

  private func unexpectedOrientation(_ report: StatusReport) -> Phrase? {
    guard let asked = asked(report), report.orientation != asked else { return nil }
    let name = report.name(of: asked)
    let request: Phrase = if case .lock = self { "Locked (\(name))" } else { "Asked for \(name)" }
    guard report.allowed.contains(asked) else {
      let allowed = OrientationMask(
        report.allowed.compactMap { InterfaceOrientation(word: $0) }.map { .init($0) })
      let names = allowed.names(on: report.panelAspect)
      return "\(request), but only \(names) is allowed now. See why with: autorotate status"
    }
    guard !report.awaitsRotation else { return nil }
    return "\(request), but the screen is not rotated to it now. See why with: autorotate status"
  }

  /// The requested orientation, if the command names one or the lock has one.
  private func asked(_ report: StatusReport) -> String? {
    switch self {
    case .lock(let target?, _): target.orientation?.word ?? (report.lock.isEmpty ? nil : report.lock)
    case .rotate(let target, output: nil): target.orientation?.word
    default: nil
    }
  }

  private func unreportedPosture(_ report: StatusReport) -> Phrase? {
    guard case .lock(_, .unfolded) = self, report.posture == Posture.unknown.rawValue else { return nil }
    return "This device does not report when it is unfolded. Unlock with: autorotate unlock"
  }
}
