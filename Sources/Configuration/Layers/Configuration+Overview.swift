// SPDX-License-Identifier: MIT

import Autorotation
import Language

extension Configuration {
  /// Every key of config.toml: "[desktop] supported".
  package static var knownSettings: [String] { SettingKey.all.map { "[\($0.section)] \($0.name)" } }

  /// What applies, in lines for a person: changed settings, rules in force, and rules that are not.
  package var overview: [String] {
    settingLines + ruleLines + idleLines
  }

  private var settingLines: [String] {
    guard !changedSettings.isEmpty else { return [localized("All settings are the defaults.")] }
    return [localized("Settings that are not the defaults:")]
      + changedSettings.map { "  \($0.name) = \(value(of: $0.name))  (\($0.path):\($0.line))" }
  }

  private func value(of name: String) -> String {
    switch name {
    case "[desktop] supported": settings.supported.words
    case "[desktop] rotate-in": settings.rotateIn.rawValue
    case "[desktop] laptop-orientation": settings.laptopOrientation.word
    case "[sensor] source": machine.sensorSource.words
    case "[sensor] mount-matrix": machine.mountMatrix.map { "\($0.elements)" } ?? "auto"
    case "[sensor] rate": machine.sensorRate.map { "\($0)" } ?? "auto"
    case "[display] output": settings.output?.quotable ?? "auto"
    case "[display] panel-mount": settings.panelMount?.word ?? "auto"
    case "[display] take-over": "\(machine.takesOver)"
    case "[touch] devices": machine.touchDevices?.shown ?? "auto"
    case "[touch] ignore": machine.ignoredTouchDevices.shown
    case "[tablet] disable-input": "\(machine.disablesInput)"
    case "[tablet] devices": machine.disabledDevices.shown
    case "[tablet] on-screen-keyboard": machine.onScreenKeyboard.joined(separator: " ").quotable
    case "[lock] over-apps": "\(settings.lockOverApps)"
    case "[hooks] enabled": "\(machine.runsHooks)"
    case "[notifications] suggest-rotation": "\(settings.suggestsWhileLocked)"
    case "[notifications] errors": "\(machine.notifiesOfErrors)"
    default: preconditionFailure("a key without a text: \(name)")
    }
  }

  private var ruleLines: [String] {
    guard !settings.rules.isEmpty else { return [localized("No rules are in force.")] }
    return [localized("Rules in force, the nearest first:")]
      + settings.rules.map { "  \($0.summary)  (\($0.source))" }
  }

  private var idleLines: [String] {
    let idle = ruleFiles.compactMap { (file: RuleFile) -> String? in
      switch file.state {
      case .inForce: nil
      case .replaced(let path): "  " + localized("\(file.path): replaced by \(path)")
      case .switchedOff(let path): "  " + localized("\(file.path): switched off by \(path), which is empty")
      case .broken: "  " + localized("\(file.path): broken")
      }
    }
    return idle.isEmpty ? [] : [localized("Rules not in force:")] + idle
  }
}

extension ApplicationRule {
  /// One line: whom it is for, and what it says.
  fileprivate var summary: String {
    let scope: Phrase = fullscreen.map { $0 ? " while fullscreen" : " while not fullscreen" } ?? ""
    var says = [supported?.words].compactMap(\.self)
    if let preferred { says.append(localized("rather \(preferred.word)")) }
    if !autoRotate { says.append(localized("keeps what is shown")) }
    let all = says.isEmpty ? localized("nothing") : says.joined(separator: ", ")
    return "\(matches.shown)\(localized(scope)): \(all)"
  }
}

extension [OrientationWord] {
  fileprivate var words: String { map(\.rawValue).joined(separator: ", ") }
}

extension [String] {
  fileprivate var shown: String { map(\.quotable).joined(separator: ", ") }
}

extension MachineSettings.SensorSource {
  fileprivate var words: String {
    switch self {
    case .auto: "auto"
    case .iio: "iio"
    case .proxy: "proxy"
    case .replay(let path): "replay:\(path.quotable)"
    }
  }
}
