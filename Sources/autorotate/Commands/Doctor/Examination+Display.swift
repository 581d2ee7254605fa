// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Language

extension Examination {
  var displayFindings: [Finding] {
    [session, outputs] + panels + rotations + ownRotation + [focus] + touch
  }

  private var seen: DisplayInspection? { try? display.get() }
  /// The outputs to rotate, from the settings.
  private var chosenOutput: OutputChoice { configuration.settings.output }
  /// The outputs that a running daemon rotates, which its command line may set.
  private var daemonOutputs: [String] { status?.outputs ?? [] }

  private var session: Finding {
    switch choice {
    case .success(let choice): .works("session", choice.reason)
    case .failure(let failure): .broken("session", failure, next: "start it within the desktop session")
    }
  }

  private var outputs: Finding {
    let name: Phrase = "display"
    // The session's finding already has the reason.
    if case .failure = choice { return .notApplicable(name, "no session to inspect") }
    switch display {
    case .success(let seen):
      let titles = seen.outputs.map { $0.isBuiltIn ? localized("\($0.name) (built in)") : $0.name }
      let outputs = titles.joined(separator: ", ")
      return .works(
        name, outputs.isEmpty ? "\(seen.system) with no output" : "\(seen.system) with \(outputs)")
    case .failure(let failure): return .broken(name, failure, next: "check that the desktop is running")
    }
  }

  /// All outputs that rotate. One that is off does not.
  private var chosen: [Output] {
    guard let seen else { return [] }
    let names = daemonOutputs.isEmpty ? configured(seen, areOn: true) : daemonOutputs
    return names.compactMap { name in seen.outputs.first { $0.name == name && $0.isActive } }
  }

  /// The names of the outputs that the settings select, of those that are on or of the others.
  private func configured(_ seen: DisplayInspection, areOn: Bool) -> [String] {
    seen.outputs.panels(chosen: chosenOutput).filter { $0.isActive == areOn }.map(\.name)
  }

  private var panels: [Finding] {
    let name: Phrase = "panel"
    guard let seen else { return [.notApplicable(name, "no display to inspect")] }
    let lost = seen.outputs.compactMap(\.switchOnFailure).map { Finding(name, $0) }
    let isOverridden = !daemonOutputs.isEmpty && daemonOutputs != configured(seen, areOn: true)
    guard !chosen.isEmpty else { return lost.isEmpty ? [noPanel(name, seen)] : lost }
    return chosen.map { panel(name, $0, isOverridden: isOverridden) } + lost
  }

  private func panel(_ name: Phrase, _ panel: Output, isOverridden: Bool) -> Finding {
    let mount = configuration.settings.panelMount ?? panel.mount
    let words: Phrase = mount == .topUp ? "" : ", mounted \(mount.word)"
    let by: Phrase =
      isOverridden
      ? ", chosen by the running autorotate" : chosenOutput.isAutomatic ? "" : ", chosen in the settings"
    return .works(name, "\(panel.name), \(panel.width)x\(panel.height)\(words)\(by)")
  }

  private func noPanel(_ name: Phrase, _ seen: DisplayInspection) -> Finding {
    guard !seen.outputs.isEmpty else {
      return .broken(
        name, .outputAwaited, "the desktop reports no output at the moment",
        next: "run this again when the desktop shows its screen")
    }
    let off = configured(seen, areOn: false).joined(separator: ", ")
    guard off.isEmpty else {
      let remark = Message(.outputBlanked, "\(off) is switched off", next: "switch it on")
      return Finding(name, remark, isNeeded: false)
    }
    let names = seen.outputs.filter(\.isActive).map(\.name).joined(separator: ", ")
    if !chosenOutput.isAutomatic {
      return .broken(
        name, .outputUnknown,
        "the output \(chosenOutput.names.joined(separator: ", ")) from the settings is off or not connected",
        next: names.isEmpty ? "connect it" : "set output in the [display] settings to one of \(names)")
    }
    return .broken(
      name, .outputNone, "no built-in panel is on",
      next: names.isEmpty
        ? "enable the panel" : "enable it, or set output in the [display] settings to one of \(names)")
  }

  private var rotations: [Finding] {
    let name: Phrase = "rotation"
    return chosen.isEmpty ? [.notApplicable(name, "no panel to rotate")] : chosen.map { rotation(name, $0) }
  }

  private func rotation(_ name: Phrase, _ panel: Output) -> Finding {
    let missing = DisplayTransform.allCases.filter { !panel.supportedTransforms.contains($0) }
    guard missing.isEmpty else {
      return .broken(
        name, .outputFixed,
        "\(panel.name) cannot be \(missing.map { localized($0.inWords) }.joined(separator: ", "))",
        next:
          "the graphics driver does not offer it. On X11, try the modesetting driver without the option ShadowFB"
      )
    }
    return .works(
      name, "\(panel.name) can be rotated in all four directions; it is now \(panel.transform.inWords)")
  }

  private var ownRotation: [Finding] {
    let name: Phrase = "rotation by the desktop"
    guard let own = seen?.ownRotation else { return [] }
    let isIdle = status?.reasonCodes.contains(Message.Code.desktopNotRotating.rawValue) == true
    guard isIdle, own.code == .desktopRotates else { return [Finding(name, own)] }
    return [
      .broken(
        name, .desktopNotRotating,
        "\(own.what), but for 5 s the screen did not follow the device, and no lock prevents it",
        next: own.next ?? "check that the desktop's own rotation is on")
    ]
  }

  private var focus: Finding {
    guard let seen else { return .notApplicable("focus", "no display to inspect") }
    return Finding("focus", seen.focus, isNeeded: false)
  }

  private var touch: [Finding] {
    let name: Phrase = "touchscreen and pen"
    guard let seen else { return [.notApplicable(name, "no display to inspect")] }
    guard !seen.touch.isEmpty else {
      return [
        .notApplicable(name, "no touchscreen or pen found. If there is one, name it as devices under [touch]")
      ]
    }
    return seen.touch.map { Finding(name, $0) }
  }
}

extension DisplayTransform {
  fileprivate var inWords: Phrase {
    switch self {
    case .none: "not rotated"
    case .rotated90: "rotated left"
    case .rotated180: "upside down"
    case .rotated270: "rotated right"
    }
  }
}
