// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import System

extension Examination {
  @MainActor
  var programFindings: [Finding] {
    ConflictingPrograms.findings + keyboardsOff + onScreenKeyboard() + rules
      + [settings, runningDaemon, start.finding]
  }

  private var keyboardsOff: [Finding] {
    let machine = configuration.machine
    guard machine.disablesInput else { return [] }
    let disabled = DisabledInput(names: machine.disabledDevices)
    return RemappedKeyboards.names(excluding: disabled).map(Self.remapped)
      + KeyboardsLeftOn.names(excluding: disabled).map(Self.leftOn)
  }

  static func remapped(_ keyboard: String) -> Finding {
    .broken(
      "keyboard off", .inputRemapped,
      "“\(keyboard)” of a key remapper stands in for the built-in keyboard, which therefore stays on in tablet mode",
      next:
        "set devices = [\"auto\", \"\(keyboard)\"] under [tablet]; external keyboards are then disabled, too"
    )
  }

  static func leftOn(_ keyboard: String) -> Finding {
    .notApplicable(
      "keyboard off",
      "“\(keyboard)” stays on in tablet mode, since libinput leaves it on: it may have buttons that a tablet needs",
      next: "to disable it anyway, set devices = [\"auto\", \"\(keyboard)\"] under [tablet]")
  }

  func onScreenKeyboard(_ programs: ProgramSearch = ProgramSearch()) -> [Finding] {
    let name: Phrase = "on-screen keyboard"
    return configuration.machine.missingKeyboard(programs).map { [Finding(name, $0)] } ?? []
  }

  private var rules: [Finding] {
    guard !configuration.settings.rules.contains(where: { $0.layer == .shipped }) else { return [] }
    return [
      .notApplicable(
        "app rules", "the rules shipped with autorotate are not installed, so only yours apply",
        next: "reinstall autorotate")
    ]
  }

  private var settings: Finding {
    let name: Phrase = "settings"
    let diagnostics = configuration.diagnostics
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

  private var runningDaemon: Finding {
    let name: Phrase = "daemon"
    switch daemon {
    case .success(let report):
      // The line of the sensor says more.
      let repeated = report.sentence(of: .sensorNone)
      let reasons = report.sentences.filter { $0 != repeated }.joined(separator: " ")
      return .works(name, "screen orientation: \(report.orientation). \(reasons)")
    case .failure(let failure):
      if let stepNow { return .broken(name, failure.code, failure.what, next: stepNow) }
      return .broken(name, failure, next: "run this from within the desktop session")
    }
  }

  /// How to start the daemon where it does not run and the desktop starts only what its configuration names.
  var stepNow: Phrase? {
    daemon == .failure(.notRunning) ? start.stepNow : nil
  }
}
