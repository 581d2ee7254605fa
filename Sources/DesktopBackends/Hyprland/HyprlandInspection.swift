// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Hyprland as doctor sees it.
extension HyprlandBackend {
  /// - Throws: `HyprlandUnavailable`.
  package static func inspect(settings: DisplaySettings) throws -> DisplayInspection {
    try inspect(path: HyprlandSocket().connect().requests, settings: settings)
  }

  static func inspect(path: String, settings: DisplaySettings) throws -> DisplayInspection {
    let questions = ["j/version", monitorsRequest, "j/devices", HyprlandLanguage.question]
    let answers: [[UInt8]]
    switch try CompositorExchanges.answers(to: questions, at: path, ending: .close) {
    case .success(let all): answers = all
    case .failure(let reason): throw HyprlandUnavailable.mute("\(reason)")
    }
    guard let monitors = JSONValue(answers[1]) else {
      throw HyprlandUnavailable.mute("\(CompositorFailure.garbled("it is not JSON"))")
    }
    let outputs = monitors.elements.compactMap(HyprlandMonitor.init).map(\.output)
    let language = HyprlandLanguage(answer: answers[3]) == .lua ? "hyprland.lua" : "hyprland.conf"
    return DisplayInspection(
      system: "Hyprland \(version(JSONValue(answers[0]))), configured by \(language)", outputs: outputs,
      panel: outputs.panelName(chosen: settings.output),
      touch: try touch(JSONValue(answers[2]), path, settings),
      focus: .init("Hyprland tells which window has focus"))
  }

  private static func version(_ value: JSONValue?) -> String {
    [value?["version"], value?["tag"]].compactMap { $0?.string }.first { !$0.isEmpty } ?? "of unknown version"
  }

  private static func touch(
    _ devices: JSONValue?, _ path: String, _ settings: DisplaySettings
  ) throws -> [DisplayInspection.Remark] {
    let exchanges = try CompositorExchanges(at: path, loop: EventLoop(), ending: .close)
    let touch = HyprlandTouch(exchanges, settings: settings, note: { _ in })
    devices.map(touch.use)
    let remarks = touch.devices.map {
      DisplayInspection.Remark("“\($0)” gets the transform of the panel while autorotate runs")
    }
    return remarks.isEmpty ? [.init("Hyprland knows no touchscreen and no pen that is to follow")] : remarks
  }
}
