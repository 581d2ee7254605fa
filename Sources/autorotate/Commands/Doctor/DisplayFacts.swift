// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Language

/// The session and its displays, as inspected.
struct DisplayFacts {
  /// The detected desktop.
  var choice: Result<BackendChoice, Message>
  var inspection: Result<DisplayInspection, Message>
  /// The outputs to rotate, from the settings.
  var chosenOutput = OutputChoice()
  /// The outputs that a running daemon rotates, which its command line may set.
  var daemonOutputs: [String] = []
  /// Whether a running daemon has found that the desktop's own rotation does nothing.
  var isDesktopNotRotating = false
  /// How the panel is mounted, from the settings.
  var chosenMount: PanelMount?

  var findings: [Finding] {
    [session, display] + panels + rotations + ownRotation + [focus] + touch
  }
}

extension DisplayFacts {
  private var seen: DisplayInspection? { try? inspection.get() }

  private var session: Finding {
    switch choice {
    case .success(let choice): .works("session", choice.reason)
    case .failure(let failure): .broken("session", failure, next: "start it within the desktop session")
    }
  }

  private var display: Finding {
    let name: Phrase = "display"
    // The session's finding already has the reason.
    if case .failure = choice { return .notApplicable(name, "no session to inspect") }
    switch inspection {
    case .success(let seen):
      let outputs = seen.outputs.map { localized($0.title) }.joined(separator: ", ")
      return .works(
        name, outputs.isEmpty ? "\(seen.system) with no output" : "\(seen.system) with \(outputs)")
    case .failure(let failure): return .broken(name, failure, next: "check that the desktop is running")
    }
  }

  /// All outputs that rotate.
  private var chosen: [Output] {
    guard let seen else { return [] }
    let names = daemonOutputs.isEmpty ? configured(seen) : daemonOutputs
    return names.compactMap { name in seen.outputs.first { $0.name == name } }
  }

  /// The names of the outputs that the settings select.
  private func configured(_ seen: DisplayInspection) -> [String] {
    let named = seen.outputs.panels(chosen: chosenOutput)
    let lit = named.filter(\.isActive)
    guard lit.isEmpty else { return lit.map(\.name) }
    return [chosenOutput.isAutomatic ? seen.panel : named.first?.name].compactMap(\.self)
  }

  private var panels: [Finding] {
    let name: Phrase = "panel"
    guard let seen else { return [.notApplicable(name, "no display to inspect")] }
    let lit = chosen.filter(\.isActive)
    let lost = seen.outputs.compactMap(\.switchOnFailure).map { Finding(name, $0) }
    let isOverridden = !daemonOutputs.isEmpty && daemonOutputs != configured(seen)
    guard !lit.isEmpty else { return lost.isEmpty ? [noPanel(name, seen)] : lost }
    return lit.map { panel(name, $0, isOverridden: isOverridden) } + lost
  }

  private func panel(_ name: Phrase, _ panel: Output, isOverridden: Bool) -> Finding {
    let mount = chosenMount ?? panel.mount
    let words: Phrase = mount == .topUp ? "" : ", mounted \(mount.word)"
    let by: Phrase =
      isOverridden
      ? ", chosen by the running autorotate" : chosenOutput.isAutomatic ? "" : ", chosen in the settings"
    return .works(name, "\(panel.name), \(panel.width)x\(panel.height)\(words)\(by)")
  }

  private func noPanel(_ name: Phrase, _ seen: DisplayInspection) -> Finding {
    let names = seen.outputs.map(\.name).joined(separator: ", ")
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
    guard isDesktopNotRotating, own.code == .desktopRotates else { return [Finding(name, own)] }
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

extension Finding {
  /// - Parameter isNeeded: whether rotation fails or is wrong without it.
  init(_ name: Phrase, _ remark: Message, isNeeded: Bool = true) {
    let state: State = remark.next == nil ? .works : isNeeded ? .broken : .notApplicable
    self.init(name, state, remark)
  }
}

extension Output {
  /// "eDP-1 (built in)"
  fileprivate var title: Phrase { isBuiltIn ? "\(name) (built in)" : "\(name)" }
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
