// SPDX-License-Identifier: MIT

import Autorotation

/// On which output a touchscreen or pen lies. Whatever has to know that asks here.
struct TouchPlacement: Equatable {
  /// What is known of a device.
  struct Device: Equatable {
    /// More than one, where a compositor has names of its own.
    var names: [String]
    /// The udev property `WL_OUTPUT`.
    var output: String?
    var size: PhysicalSize?
  }

  enum Place: Equatable {
    case on(String)
    /// It may lie on any of these, and is left alone.
    case unknown(among: [String])
    /// The settings put it on an output that is not there.
    case absent(String)

    var output: String? {
      if case .on(let name) = self { name } else { nil }
    }
  }

  private let lines: [TouchAssignment]
  /// All that there are, lit or not.
  private let outputs: [String]
  /// Those that a device lies on of which nothing is said.
  private let panels: [String]
  private let sizes: [String: PhysicalSize]

  /// - Parameter size: of an output, by its name.
  init(
    _ outputs: [Output], _ settings: DisplaySettings,
    size: (String) -> PhysicalSize? = { .init(connector: $0) }
  ) {
    lines = settings.touchMap
    self.outputs = outputs.map(\.name)
    panels = outputs.touchPanels(chosen: settings.output)
    let several = panels.count > 1 ? panels : []
    sizes = Dictionary(several.compactMap { name in size(name).map { (name, $0) } }) { first, _ in first }
  }

  /// The person knows best, then whoever wrote a rule of udev's; what is left is told by the sizes.
  func place(of device: Device) -> Place {
    if let line = lines.first(of: device.names) {
      return outputs.contains(line.output) ? .on(line.output) : .absent(line.output)
    }
    if let told = device.output, outputs.contains(told) { return .on(told) }
    if panels.count == 1 { return .on(panels[0]) }
    let fitting = panels.filter { name in
      device.size.map { size in sizes[name].map { $0.fits(size) } ?? true } ?? true
    }
    return fitting.count == 1 && sizes[fitting[0]] != nil ? .on(fitting[0]) : .unknown(among: panels)
  }
}

extension [Output] {
  /// The outputs that touchscreens and pens may lie on. A machine's touchscreens lie on its own panels, also where
  /// only one of those is turned.
  nonisolated func touchPanels(chosen: OutputChoice) -> [String] {
    let isOnMonitors = !chosen.isAutomatic && !panels(chosen: chosen).contains(where: \.isBuiltIn)
    return isOnMonitors ? chosen.names : panels(chosen: nil).map(\.name)
  }
}

extension TouchPlacement.Place {
  /// What the person is told of a device that follows no output; `nil` of one that does.
  func complaint(_ device: String) -> Message? {
    switch self {
    case .on: nil
    case .unknown(let panels) where panels.isEmpty:
      Message(
        .touchAstray, "“\(device)” follows no output, since none is known to be the panel",
        next: "name the panel as `output` in the [display] settings")
    case .unknown(let panels):
      Message(
        .touchAstray,
        "“\(device)” is left alone: it may lie on any of \(panels.joined(separator: ", "))",
        next:
          "write in the [touch] settings map = { \"\(device)\" = \"\(panels[0])\" }, or the right one of them"
      )
    case .absent(let output):
      Message(
        .touchAstray, "“\(device)” is left alone: the settings put it on \(output), which is not there",
        next: "check `map` in the [touch] settings")
    }
  }
}

extension [TouchAssignment] {
  /// Whether one of them is about a device of one of these names.
  func names(_ names: [String]) -> Bool { first(of: names) != nil }

  func first(of names: [String]) -> TouchAssignment? {
    first { line in names.contains { ApplicationRule.pattern(line.pattern, matches: $0) } }
  }
}
