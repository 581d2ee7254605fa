// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// What was seen of autorotate itself, and of others that do its work.
struct ProgramFacts {
  /// A program that turns pictures, too.
  struct Rival: Equatable {
    var name: String
    var process: Int32?
    /// What ends it.
    var remedy: String
  }

  enum Daemon {
    case running(StatusReport)
    /// Not running, or without an answer: a sentence with the next step.
    case silent(Message)
  }

  var rivals: [Rival] = []
  /// Keyboards of remappers that stay on where the keyboard is to be off.
  var sparedKeyboards: [String] = []
  /// Built-in keyboards that stay on there, as libinput leaves them on.
  var keyboardsLeftOn: [String] = []
  /// Whether the rules that come with autorotate are missing.
  var lacksShippedRules = false
  /// Why the on-screen keyboard will not start.
  var missingKeyboard: Message?
  var daemon: Daemon
  var diagnostics: [Diagnostic] = []
  var start = SessionStart()

  var findings: [Finding] { others + remapped + leftOn + keyboard + rules + [settings, running, started] }
}

extension ProgramFacts {
  private var others: [Finding] {
    let name: Phrase = "other rotators"
    guard !rivals.isEmpty else { return [.works(name, "none found")] }
    return rivals.map { rival in
      let process: Phrase = rival.process.map { " (process \($0))" } ?? ""
      return .broken(
        name, .rivalRuns, "\(rival.name)\(process) turns the picture, too", next: "\(rival.remedy)")
    }
  }

  private var remapped: [Finding] {
    sparedKeyboards.map { name in
      .broken(
        "keyboard off", .inputRemapped,
        "“\(name)” of a remapper types for the built-in keyboard, which is therefore not off in tablet posture",
        next:
          "write devices = [\"auto\", \"\(name)\"] under [tablet]; keyboards that you plug in are then off, too"
      )
    }
  }

  private var leftOn: [Finding] {
    keyboardsLeftOn.map { name in
      .notApplicable(
        "keyboard off",
        "“\(name)” stays on in tablet posture, as libinput leaves it on: buttons that a tablet needs may belong to it",
        next: "to disable it all the same, write devices = [\"auto\", \"\(name)\"] under [tablet]")
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
        "app rules", "those that come with autorotate are not installed, so only yours apply",
        next: "install autorotate again")
    ]
  }

  private var settings: Finding {
    let name: Phrase = "settings"
    let errors = diagnostics.filter { $0.severity == .error }
    if let first = errors.first {
      return .broken(
        name, .settingsFaulty, Self.told(first, of: errors),
        next: "see what to write instead: autorotate check")
    }
    let warnings = diagnostics.filter { $0.severity == .warning }
    guard let first = warnings.first else { return .works(name, "nothing wrong with them") }
    return .works(name, Self.told(first, of: warnings), next: "see what to write instead: autorotate check")
  }

  private static func told(_ first: Diagnostic, of all: [Diagnostic]) -> Phrase {
    let more: Phrase = all.count > 1 ? ", and \(all.count - 1) more" : ""
    return "\(first.headline)\(more)"
  }

  private var running: Finding {
    let name: Phrase = "daemon"
    switch daemon {
    case .running(let report):
      let reasons = report.sentences.joined(separator: " ")
      return .works(name, "shows \(report.orientation). \(reasons)")
    case .silent(let failure):
      return .broken(name, failure, next: "run this from within the desktop session")
    }
  }

  private var started: Finding {
    let name: Phrase = "start"
    if case .yes(let starter) = start.answer { return .works(name, "with the session, by \(starter.path)") }
    return .notApplicable(name, start.obstacle ?? "", next: start.nextStep)
  }
}
