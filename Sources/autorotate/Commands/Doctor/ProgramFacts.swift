// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// The state of autorotate itself, and of other programs that rotate the screen.
struct ProgramFacts {
  /// Another program that rotates the screen.
  struct ConflictingProgram: Equatable {
    var name: String
    var process: Int32?
    /// How to stop it.
    var remedy: String
  }

  enum Daemon {
    case running(StatusReport)
    /// Not running or not answering: the message with the next step.
    case silent(Message)
  }

  var conflicts: [ConflictingProgram] = []
  /// Virtual keyboards of remappers that stay enabled where the keyboard is to be disabled.
  var sparedKeyboards: [String] = []
  /// Built-in keyboards that stay enabled there, since libinput leaves them enabled.
  var keyboardsLeftOn: [String] = []
  /// Whether the rules shipped with autorotate are missing.
  var lacksShippedRules = false
  /// Why the on-screen keyboard cannot start.
  var missingKeyboard: Message?
  var daemon: Daemon
  var diagnostics: [Diagnostic] = []
  var start = SessionStart()

  var findings: [Finding] { rotators + remapped + leftOn + keyboard + rules + [settings, running, started] }
}

extension ProgramFacts {
  private var rotators: [Finding] {
    let name: Phrase = "conflicting programs"
    guard !conflicts.isEmpty else { return [.works(name, "none found")] }
    return conflicts.map { program in
      let process: Phrase = program.process.map { " (process \($0))" } ?? ""
      return .broken(
        name, .conflictingProgram, "\(program.name)\(process) also rotates the screen",
        next: "\(program.remedy)")
    }
  }

  private var remapped: [Finding] {
    sparedKeyboards.map { name in
      .broken(
        "keyboard off", .inputRemapped,
        "“\(name)” of a key remapper stands in for the built-in keyboard, which therefore stays on in tablet mode",
        next:
          "set devices = [\"auto\", \"\(name)\"] under [tablet]; external keyboards are then disabled, too"
      )
    }
  }

  private var leftOn: [Finding] {
    keyboardsLeftOn.map { name in
      .notApplicable(
        "keyboard off",
        "“\(name)” stays on in tablet mode, since libinput leaves it on: it may have buttons that a tablet needs",
        next: "to disable it anyway, set devices = [\"auto\", \"\(name)\"] under [tablet]")
    }
  }

  private var keyboard: [Finding] {
    let name: Phrase = "on-screen keyboard"
    return missingKeyboard.map { [Finding(name, .broken, $0)] } ?? []
  }

  private var rules: [Finding] {
    guard lacksShippedRules else { return [] }
    return [
      .notApplicable(
        "app rules", "the rules shipped with autorotate are not installed, so only yours apply",
        next: "reinstall autorotate")
    ]
  }

  private var settings: Finding {
    let name: Phrase = "settings"
    let errors = diagnostics.filter { $0.severity == .error }
    if let first = errors.first {
      return .broken(
        name, .settingsFaulty, Self.summary(first, of: errors),
        next: "see the fixes with: autorotate check")
    }
    let warnings = diagnostics.filter { $0.severity == .warning }
    guard let first = warnings.first else { return .works(name, "no errors") }
    return .works(name, Self.summary(first, of: warnings), next: "see the fixes with: autorotate check")
  }

  private static func summary(_ first: Diagnostic, of all: [Diagnostic]) -> Phrase {
    let more: Phrase = all.count > 1 ? ", and \(all.count - 1) more" : ""
    return "\(first.headline)\(more)"
  }

  private var running: Finding {
    let name: Phrase = "daemon"
    switch daemon {
    case .running(let report):
      // The line of the sensor says more.
      let repeated = report.sentence(of: .sensorNone)
      let reasons = report.sentences.filter { $0 != repeated }.joined(separator: " ")
      return .works(name, "screen orientation: \(report.orientation). \(reasons)")
    case .silent(let failure):
      if let stepNow { return .broken(name, failure.code, failure.what, next: stepNow) }
      return .broken(name, failure, next: "run this from within the desktop session")
    }
  }

  /// How to start the daemon where it does not run and the desktop starts only what its configuration names.
  var stepNow: Phrase? {
    guard case .silent(let failure) = daemon, failure == .notRunning else { return nil }
    return start.stepNow
  }

  private var started: Finding {
    let name: Phrase = "start"
    if case .yes(let starter) = start.answer { return .works(name, "starts at login, by \(starter.path)") }
    return .notApplicable(name, start.obstacle ?? "", next: start.nextStep)
  }
}
