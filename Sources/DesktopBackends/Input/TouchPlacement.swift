// SPDX-License-Identifier: MIT

import Autorotation
import System

/// On which output a touchscreen or pen lies. Whatever has to know that asks here.
struct TouchPlacement: Equatable {
  /// What is known of a device.
  nonisolated struct Device: Equatable, Sendable {
    /// More than one, where a compositor has names of its own.
    var names: [String]
    /// The udev property `WL_OUTPUT`.
    var output: String?
    var size: PhysicalSize?
    /// `nil` if nobody knows the device.
    var connection: InputConnection?
    /// INPUT_PROP_DIRECT: whether the user touches what a screen shows; `nil` if it is not known.
    var isDirect: Bool?
    /// libwacom's word; `nil` if it does not know the device.
    var integration: TabletIntegration?
  }

  enum Place: Equatable {
    case on(String)
    /// It may lie on any of these, and is left alone; if it is one, the device may be built in or not.
    case unknown(among: [String])
    /// It is not part of the machine, and is left alone.
    case external
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
  /// Whether those are monitors, by the settings.
  private let areMonitors: Bool
  /// Whether the settings name the devices that follow: they know what is built in.
  private let areNamed: Bool
  private let sizes: [String: PhysicalSize]

  /// - Parameter size: of an output, by its name.
  init(
    _ outputs: [Output], _ settings: DisplaySettings,
    size: (String) -> PhysicalSize? = { .init(connector: $0) }
  ) {
    lines = settings.touchMap
    self.outputs = outputs.map(\.name)
    panels = outputs.touchPanels(chosen: settings.output)
    areMonitors = outputs.areMonitors(chosen: settings.output)
    areNamed = !settings.touchDevices.isEmpty
    sizes = Dictionary(panels.compactMap { name in size(name).map { (name, $0) } }) { first, _ in first }
  }

  /// The settings decide, then a udev rule; then whether the device is built in, and its size.
  func place(of device: Device) -> Place {
    if let line = lines.first(of: device.names) {
      return outputs.contains(line.output) ? .on(line.output) : .absent(line.output)
    }
    if let output = device.output, outputs.contains(output) { return .on(output) }
    switch areNamed ? .builtIn : TouchOrigin(of: device) {
    case .desk: return .external
    case .penDisplay: return areMonitors ? placeByPanels(device) : .external
    case .builtIn: return placeByPanels(device)
    case .unknown: return areMonitors ? placeByPanels(device) : placeBySize(device)
    }
  }

  /// Of devices that a display system cannot tell apart, which therefore lie on one output, or none.
  /// - Parameter names: what the display system calls them.
  func place(of devices: [MappedTouchscreens.Device], named names: [String]) -> Place {
    let places = devices.map { place(of: $0.described(as: names)) }
    guard let first = places.first(where: { $0 != .external }) else {
      return places.first ?? place(of: Device(names: names))
    }
    return places.allSatisfy { $0 == first || $0 == .external } ? first : .unknown(among: panels)
  }

  /// Of a device that lies on one of the panels: a size that is not known excludes none.
  private func placeByPanels(_ device: Device) -> Place {
    if panels.count == 1 { return .on(panels[0]) }
    let possible = panels.filter { fits(device, $0) ?? true }
    return possible.count == 1 && sizes[possible[0]] != nil ? .on(possible[0]) : .unknown(among: panels)
  }

  /// Of a device that may lie elsewhere: only the size of one panel places it.
  private func placeBySize(_ device: Device) -> Place {
    let fitting = panels.filter { fits(device, $0) == true }
    return fitting.count == 1 ? .on(fitting[0]) : .unknown(among: panels)
  }

  /// `nil` if one of the sizes is not known.
  private func fits(_ device: Device, _ panel: String) -> Bool? {
    guard let size = device.size, let other = sizes[panel] else { return nil }
    return other.fits(size)
  }
}

extension [Output] {
  /// The outputs that touchscreens and pens may lie on. A machine's touchscreens lie on its own panels, also where
  /// only one of those is turned.
  nonisolated func touchPanels(chosen: OutputChoice) -> [String] {
    areMonitors(chosen: chosen) ? chosen.names : panels(chosen: nil).map(\.name)
  }

  nonisolated fileprivate func areMonitors(chosen: OutputChoice) -> Bool {
    !chosen.isAutomatic && !panels(chosen: chosen).contains(where: \.isBuiltIn)
  }
}

extension TouchPlacement.Place {
  /// What doctor reports of a device that follows no output; `nil` of one that does.
  func remark(_ device: String) -> Message? {
    guard self == .external else { return complaint(device) }
    return Message(
      .touchExternal,
      "“\(device)” is left alone, as it is not built in; `map` in the [touch] settings places it on an output"
    )
  }

  /// What is wrong with a device that follows no output; `nil` if nothing is.
  func complaint(_ device: String) -> Message? {
    switch self {
    case .on, .external: nil
    case .unknown(let panels) where panels.isEmpty:
      Message(
        .touchAstray, "“\(device)” follows no output, since none is known to be the panel",
        next: "name the panel as `output` in the [display] settings")
    case .unknown(let panels) where panels.count == 1:
      Message(
        .touchAstray, "“\(device)” is left alone: it is not known whether it is built in",
        next:
          "if it lies on \(panels[0]), write in the [touch] settings map = { \"\(device)\" = \"\(panels[0])\" }; if "
          + "not, name it under `ignore` there")
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
