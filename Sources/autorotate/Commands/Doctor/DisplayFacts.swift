// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Language

/// What was seen of the session and its displays.
struct DisplayFacts {
  /// Which desktop this is.
  var choice: Result<BackendChoice, Message>
  var inspection: Result<DisplayInspection, Message>
  /// The outputs to turn, by the settings.
  var chosenOutput: OutputChoice = nil
  /// Those that a running daemon turns, which may have been told on its command line.
  var daemonOutputs: [String] = []
  /// Whether a running daemon has found that the desktop does not turn what is left to it.
  var isDesktopIdle = false
  /// How the panel is built in, by the settings.
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
    // What is wrong with the session has been said.
    if case .failure = choice { return .notApplicable(name, "no session to look at") }
    switch inspection {
    case .success(let seen):
      let outputs = seen.outputs.map { localized($0.title) }.joined(separator: ", ")
      return .works(
        name, outputs.isEmpty ? "\(seen.system) with no output" : "\(seen.system) with \(outputs)")
    case .failure(let failure): return .broken(name, failure, next: "see whether the desktop runs")
    }
  }

  /// Those that turn, all of them together.
  private var chosen: [Output] {
    guard let seen else { return [] }
    let names = daemonOutputs.isEmpty ? settled(seen) : daemonOutputs
    return names.compactMap { name in seen.outputs.first { $0.name == name } }
  }

  /// The names of those that the settings mean.
  private func settled(_ seen: DisplayInspection) -> [String] {
    let named = seen.outputs.panels(chosen: chosenOutput)
    let lit = named.filter(\.isActive)
    guard lit.isEmpty else { return lit.map(\.name) }
    return [chosenOutput.isAutomatic ? seen.panel : named.first?.name].compactMap(\.self)
  }

  private var panels: [Finding] {
    let name: Phrase = "panel"
    guard let seen else { return [.notApplicable(name, "no display to look at")] }
    let lit = chosen.filter(\.isActive)
    let lost = seen.outputs.compactMap(\.switchOnFailure).map { Finding(name, $0) }
    let isTold = !daemonOutputs.isEmpty && daemonOutputs != settled(seen)
    guard !lit.isEmpty else { return lost.isEmpty ? [noPanel(name, seen)] : lost }
    return lit.map { panel(name, $0, isTold: isTold) } + lost
  }

  private func panel(_ name: Phrase, _ panel: Output, isTold: Bool) -> Finding {
    let mount = chosenMount ?? panel.mount
    let words: Phrase = mount == .topUp ? "" : ", built in \(mount.word)"
    let by: Phrase =
      isTold
      ? ", which the running autorotate turns" : chosenOutput.isAutomatic ? "" : ", as the settings say"
    return .works(name, "\(panel.name), \(panel.width)x\(panel.height)\(words)\(by)")
  }

  private func noPanel(_ name: Phrase, _ seen: DisplayInspection) -> Finding {
    let names = seen.outputs.map(\.name).joined(separator: ", ")
    if !chosenOutput.isAutomatic {
      return .broken(
        name, .outputUnknown,
        "the output \(chosenOutput.names.joined(separator: ", ")) of the settings shows no picture",
        next: names.isEmpty ? "plug it in" : "set output in the [display] settings to one of \(names)")
    }
    return .broken(
      name, .outputNone, "no built-in panel shows a picture",
      next: names.isEmpty
        ? "switch the panel on" : "switch it on, or set output in the [display] settings to one of \(names)")
  }

  private var rotations: [Finding] {
    let name: Phrase = "rotation"
    return chosen.isEmpty ? [.notApplicable(name, "no panel to turn")] : chosen.map { rotation(name, $0) }
  }

  private func rotation(_ name: Phrase, _ panel: Output) -> Finding {
    let missing = DisplayTransform.allCases.filter { !panel.supportedTransforms.contains($0) }
    guard missing.isEmpty else {
      return .broken(
        name, .outputFixed,
        "\(panel.name) cannot be \(missing.map { localized($0.inWords) }.joined(separator: ", "))",
        next: "that is up to the graphics driver: on X11 try modesetting, without the option ShadowFB")
    }
    return .works(name, "\(panel.name) can be turned all four ways; it is \(panel.transform.inWords)")
  }

  private var ownRotation: [Finding] {
    let name: Phrase = "rotation by the desktop"
    guard let own = seen?.ownRotation else { return [] }
    guard isDesktopIdle, own.code == .desktopTurns else { return [Finding(name, own)] }
    return [
      .broken(
        name, .desktopIdle,
        "\(own.what), and yet the device was held otherwise for 5 s while nothing locked the picture",
        next: own.next ?? "see whether the desktop's own rotation is switched on")
    ]
  }

  private var focus: Finding {
    guard let seen else { return .notApplicable("focus", "no display to look at") }
    return Finding("focus", seen.focus, isNeeded: false)
  }

  private var touch: [Finding] {
    let name: Phrase = "touch and pen"
    guard let seen else { return [.notApplicable(name, "no display to look at")] }
    guard !seen.touch.isEmpty else {
      return [.notApplicable(name, "no touchscreen or pen; [touch] devices names those that are not known")]
    }
    return seen.touch.map { Finding(name, $0) }
  }
}

extension Finding {
  /// - Parameter isNeeded: whether nothing turns as it should without it.
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
    case .none: "not turned"
    case .turned90: "turned left"
    case .turned180: "turned upside down"
    case .turned270: "turned right"
    }
  }
}
