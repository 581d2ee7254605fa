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
    configuration.machine.missingKeyboard(programs).map { [Finding("on-screen keyboard", $0)] } ?? []
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
    let errors = configuration.diagnostics.filter { $0.severity == .error }
    let found = errors.isEmpty ? configuration.diagnostics.filter { $0.severity == .warning } : errors
    guard let first = found.first else { return .works(name, "no errors") }
    let more: Phrase = found.count > 1 ? ", and \(found.count - 1) more" : ""
    let summary: Phrase = "\(first.headline)\(more)"
    let next: Phrase = "see the fixes with: autorotate check"
    return errors.isEmpty
      ? .works(name, summary, next: next) : .broken(name, .settingsFaulty, summary, next: next)
  }

  private var runningDaemon: Finding {
    let name: Phrase = "daemon"
    switch daemon {
    case .success(let report):
      // The line of the sensor says more.
      let repeated = report.sentence(of: .sensorNone)
      let reasons = report.sentences.filter { $0 != repeated }.joined(separator: " ")
      return .works(name, "screen orientation: \(report.orientation). \(reasons)", next: report.nextStep)
    case .failure(let failure):
      if let stepNow { return .broken(name, failure.code, failure.what, next: stepNow) }
      return .broken(name, failure, next: "run this from within the desktop session")
    }
  }

  /// How to start the daemon where it does not run and the desktop starts only what its configuration names.
  var stepNow: Phrase? { daemon == .failure(.notRunning) ? start.stepNow : nil }
}
