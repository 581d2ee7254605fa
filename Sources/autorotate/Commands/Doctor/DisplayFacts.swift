// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends

/// What was seen of the session and its displays.
struct DisplayFacts {
  /// Environment variables; `nil` where they are not set.
  var sessionType: String?
  var waylandDisplay: String?
  var x11Display: String?
  /// The failure is a sentence with the next step.
  var inspection: Result<X11Inspection, Failure>
  /// The output to turn, by the settings; `nil` for the built-in panel.
  var chosenOutput: String?
  /// How the panel is built in, by the settings.
  var chosenMount: PanelMount?

  var findings: [Finding] { [session, display, panel, rotation] + touch }
}

extension DisplayFacts {
  private var seen: X11Inspection? { try? inspection.get() }

  private var isWayland: Bool { waylandDisplay != nil || sessionType == "wayland" }

  private var session: Finding {
    let name = "session"
    if isWayland {
      let words = ["Wayland", waylandDisplay].compactMap(\.self).joined(separator: ", ")
      return .broken(
        name, "\(words), and its X displays are XWayland, which cannot turn anything",
        next: "log in to an X11 session")
    }
    if let x11Display { return .works(name, "X11, \(x11Display)") }
    return .broken(
      name, "none: neither DISPLAY nor WAYLAND_DISPLAY is set",
      next: "run this from within the desktop session, or set DISPLAY")
  }

  private var display: Finding {
    let name = "display"
    switch inspection {
    case .success(let seen):
      let outputs = seen.outputs.map(\.title).joined(separator: ", ")
      return .works(name, "\(seen.display) with \(outputs.isEmpty ? "no output" : outputs)")
    case .failure(let failure):
      let (what, step) = failure.description.splitAtColon
      return .broken(name, what, next: step ?? "see whether the X server runs")
    }
  }

  private var chosen: Output? {
    guard let seen else { return nil }
    let name = chosenOutput ?? seen.panel
    return seen.outputs.first { $0.name == name }
  }

  private var panel: Finding {
    let name = "panel"
    guard let seen else { return .notApplicable(name, "no display to look at") }
    guard let chosen, chosen.isActive else { return noPanel(name, seen) }
    let mount = chosenMount ?? chosen.mount
    let words = mount == .topUp ? "" : ", built in \(mount.word)"
    let by = chosenOutput == nil ? "" : ", as the settings say"
    return .works(name, "\(chosen.name), \(chosen.width)x\(chosen.height)\(words)\(by)")
  }

  private func noPanel(_ name: String, _ seen: X11Inspection) -> Finding {
    let names = seen.outputs.map(\.name).joined(separator: ", ")
    if let chosenOutput {
      return .broken(
        name, "the output \(chosenOutput) of the settings shows no picture",
        next: names.isEmpty ? "plug it in" : "set output in the [display] settings to one of \(names)")
    }
    return .broken(
      name, "no built-in panel shows a picture",
      next: names.isEmpty
        ? "switch the panel on" : "switch it on, or set output in the [display] settings to one of \(names)")
  }

  private var rotation: Finding {
    let name = "rotation"
    guard let chosen else { return .notApplicable(name, "no panel to turn") }
    let missing = DisplayTransform.allCases.filter { !chosen.supportedTransforms.contains($0) }
    guard missing.isEmpty else {
      return .broken(
        name, "\(chosen.name) cannot be \(missing.map(\.inWords).joined(separator: ", "))",
        next: "that is up to the X server's driver: try the driver modesetting, without the option ShadowFB")
    }
    return .works(name, "\(chosen.name) can be turned all four ways; it is \(chosen.transform.inWords)")
  }

  private var touch: [Finding] {
    let name = "touch and pen"
    guard let seen else { return [.notApplicable(name, "no display to look at")] }
    guard !seen.devices.isEmpty else {
      return [.notApplicable(name, "no touchscreen or pen; [touch] devices names those that are not known")]
    }
    return seen.devices.map { device in
      guard !device.fits else { return .works(name, "\(device.name) follows the panel") }
      return .broken(
        name,
        "\(device.name) does not fit the panel's place: its Coordinate Transformation Matrix is "
          + "\(device.matrix?.words ?? "not there")",
        next: device.matrix == nil
          ? "name it under ignore in the [touch] settings" : "start autorotate, which keeps it right")
    }
  }
}

extension Output {
  /// "eDP-1 (built in)"
  fileprivate var title: String { isBuiltIn ? "\(name) (built in)" : name }
}

extension DisplayTransform {
  fileprivate var inWords: String {
    switch self {
    case .none: "not turned"
    case .turned90: "turned left"
    case .turned180: "turned upside down"
    case .turned270: "turned right"
    }
  }
}

extension [Double] {
  fileprivate var words: String {
    map { Int(exactly: $0).map { "\($0)" } ?? $0.text(decimals: 3) }.joined(separator: " ")
  }
}

extension String {
  /// The display's sentences have what to do behind their last colon.
  fileprivate var splitAtColon: (what: String, step: String?) {
    guard let colon = ranges(of: ": ").last else { return (self, nil) }
    return (String(self[..<colon.lowerBound]), String(self[colon.upperBound...]))
  }
}
