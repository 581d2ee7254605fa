// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Assigns touchscreens and pens to outputs, for all backends.
struct TouchPlacement {
  enum Place: Equatable {
    case on(String)
    /// It may lie on any of these, and is left alone. With only one, it is unknown whether the device is built in.
    case unknown(among: [String])
    /// It is not part of the machine, and is left alone.
    case external
    /// The settings map it to an output that does not exist.
    case absent(String)

    var output: String? {
      if case .on(let name) = self { name } else { nil }
    }
  }

  /// All, lit or not.
  let outputs: [Output]
  let settings: DisplaySettings
  /// The size of the panel on an output.
  var size: (String) -> PhysicalSize? = { .init(connector: $0) }

  /// The candidates for devices that neither the settings nor udev assign.
  private var panels: [String] { outputs.touchPanels(chosen: settings.output) }
  /// The candidates for built-in devices: not the monitors that the settings may choose.
  private var builtInPanels: [String] {
    let automatic = outputs.panels(chosen: OutputChoice())
    return automatic.contains(where: \.isBuiltIn) ? automatic.map(\.name) : panels
  }
  /// Whether the settings choose monitors as the panels.
  private var areMonitors: Bool { outputs.areMonitors(chosen: settings.output) }

  private func exists(_ output: String) -> Bool { outputs.contains { $0.name == output } }

  /// The settings have priority, then a udev rule; then it depends on whether the device is built in, and on its size.
  /// - Parameters:
  ///   - device: `nil` if udev does not know it.
  ///   - names: its names in the display system.
  func place(of device: MappedTouchscreens.Device?, named names: [String]) -> Place {
    if let assignment = settings.touchMap.first(of: names) {
      return exists(assignment.output) ? .on(assignment.output) : .absent(assignment.output)
    }
    if let output = device?.output, exists(output) { return .on(output) }
    // Those that the settings name lie on the panels.
    if !settings.touchDevices.isEmpty { return place(device, onOneOf: panels) }
    guard device?.hasScreen ?? true else { return .external }
    // Without udev (in a container), a device counts as built in.
    let isBuiltIn: Bool? = device.map(\.isBuiltIn) ?? true
    if isBuiltIn == true { return place(device, onOneOf: builtInPanels) }
    if areMonitors { return place(device, onOneOf: panels) }
    return isBuiltIn == false ? .external : placeBySize(device)
  }

  /// The place of devices that the display system cannot distinguish, and so has to map to the same output.
  /// - Parameter names: their names in the display system.
  func place(of devices: [MappedTouchscreens.Device], named names: [String]) -> Place {
    let places = devices.map { place(of: $0, named: names) }
    guard let first = places.first(where: { $0 != .external }) else {
      return places.first ?? place(of: nil, named: names)
    }
    return places.allSatisfy { $0 == first || $0 == .external } ? first : .unknown(among: panels)
  }

  /// Doctor's finding for a device on a desktop that stores the outputs of such devices itself.
  /// - Parameters:
  ///   - device: `nil` if udev does not know it.
  ///   - stored: the output in the desktop's settings; `nil` if the desktop chooses one.
  ///   - command: returns the command that stores an output.
  func remark(
    on device: MappedTouchscreens.Device?, named name: String, stored: String?, by desktop: String,
    command: (_ output: String) -> String
  ) -> Message {
    let place = place(of: device, named: [name])
    if settings.touchMap.names([name]) {
      return place.complaint(name)
        ?? Message(
          .touchFollows, "autorotate maps “\(name)” to \(place.output ?? "") in the settings of \(desktop)")
    }
    if let stored {
      guard !exists(stored) else {
        return Message(.touchFollows, "“\(name)” is mapped to \(stored) in the settings of \(desktop)")
      }
      return Message(
        .touchMisplaced, "the settings of \(desktop) map “\(name)” to \(stored), which is not connected",
        next: "if its input lands elsewhere, run `\(command(panels.first ?? outputs.first?.name ?? "eDP-1"))`"
      )
    }
    guard panels.count > 1, case .unknown = place else {
      return Message(.touchFollows, "“\(name)”: \(desktop) chooses its output automatically")
    }
    return Message(
      .touchMisplaced,
      "“\(name)” is not mapped, so \(desktop) may choose the wrong one of \(panels.joined(separator: ", "))",
      next: "if its input lands elsewhere, run `\(command(panels[0]))`, or the same for the right output")
  }

  /// The place of a device that lies on one of these: an unknown size excludes none.
  private func place(_ device: MappedTouchscreens.Device?, onOneOf panels: [String]) -> Place {
    if panels.count == 1 { return .on(panels[0]) }
    let possible = panels.filter { fits(device, $0) ?? true }
    return possible.count == 1 && size(possible[0]) != nil ? .on(possible[0]) : .unknown(among: panels)
  }

  /// The place of a device that may not be built in: only a matching size of one panel places it.
  private func placeBySize(_ device: MappedTouchscreens.Device?) -> Place {
    let fitting = panels.filter { fits(device, $0) == true }
    return fitting.count == 1 ? .on(fitting[0]) : .unknown(among: panels)
  }

  /// `nil` if one of the sizes is not known.
  private func fits(_ device: MappedTouchscreens.Device?, _ panel: String) -> Bool? {
    guard let own = device?.size, let other = size(panel) else { return nil }
    return other.fits(own)
  }
}

extension [Output] {
  /// The outputs that touchscreens and pens may lie on. A machine's touchscreens lie on all its panels, even if only
  /// one of these is rotated.
  nonisolated func touchPanels(chosen: OutputChoice) -> [String] {
    areMonitors(chosen: chosen) ? chosen.names : panels(chosen: OutputChoice()).map(\.name)
  }

  nonisolated fileprivate func areMonitors(chosen: OutputChoice) -> Bool {
    !chosen.isAutomatic && !panels(chosen: chosen).contains(where: \.isBuiltIn)
  }
}

extension TouchPlacement.Place {
  /// Doctor's finding for a device that follows no output; `nil` for one that does.
  func remark(_ device: String, _ line: TouchMapLine = TouchMapLine()) -> Message? {
    guard self == .external else { return complaint(device, line) }
    return Message(
      .touchExternal,
      "“\(device)” is left alone, since it is not built in; `map` in the [touch] settings maps it to an output"
    )
  }

  /// The problem with a device that follows no output; `nil` if there is none.
  func complaint(_ device: String, _ line: TouchMapLine = TouchMapLine()) -> Message? {
    switch self {
    case .on, .external: nil
    case .unknown(let panels) where panels.isEmpty:
      Message(
        .touchMisplaced, "“\(device)” follows no output, since none is known to be the panel",
        next: "name the panel as `output` in the [display] settings")
    case .unknown(let panels) where panels.count == 1:
      Message(
        .touchMisplaced, "“\(device)” is left alone: it is not known whether it is built in",
        next: next(device, panels, line))
    case .unknown(let panels):
      Message(
        .touchMisplaced, "“\(device)” is left alone: it may lie on any of \(panels.joined(separator: ", "))",
        next: next(device, panels, line))
    case .absent(let output):
      Message(
        .touchMisplaced, "“\(device)” is left alone: the settings map it to \(output), which does not exist",
        next: "check `map` in the [touch] settings")
    }
  }

  private func next(_ device: String, _ panels: [String], _ line: TouchMapLine) -> Phrase {
    let map = line.text(for: device, on: panels[0])
    switch (panels.count == 1, line.unplaced.count > 1) {
    case (true, true):
      return
        "write in the [touch] settings \(map), without those that lie elsewhere: name these under `ignore` there"
    case (true, false):
      return
        "if it lies on \(panels[0]), write in the [touch] settings \(map); if not, name it under `ignore` there"
    case (false, true): return "write in the [touch] settings \(map), with the right output of each"
    case (false, false): return "write in the [touch] settings \(map), or the right one of them"
    }
  }
}

/// The line of the settings that maps the devices whose place is unknown, with what it maps already: of several such
/// lines, TOML allows only one. The escapes of JSON are among those of TOML.
struct TouchMapLine {
  /// The names of these devices.
  var unplaced: [String] = []
  var kept: [TouchAssignment] = []

  /// - Parameters:
  ///   - device: the only one if no others are known.
  ///   - output: for each of them; the user corrects it where it is another.
  func text(for device: String, on output: String) -> String {
    let devices = unplaced.isEmpty ? [device] : Set(unplaced).sorted()
    let all = kept + devices.map { TouchAssignment($0, on: output) }
    let pairs = all.map { "\(JSON.string($0.pattern)) = \(JSON.string($0.output))" }
    return "map = { \(pairs.joined(separator: ", ")) }"
  }
}

extension TouchMapLine {
  /// - Parameters:
  ///   - devices: the names of all devices.
  ///   - places: of each of them; `nil` if the display system places it.
  init(_ devices: [String], at places: [TouchPlacement.Place?], _ settings: DisplaySettings) {
    let unplaced = zip(devices, places).filter { if case .unknown? = $1 { true } else { false } }.map { $0.0 }
    self.init(unplaced: unplaced, kept: settings.touchMap)
  }
}

extension [TouchAssignment] {
  /// Whether one of them is for a device with one of these names.
  func names(_ names: [String]) -> Bool { first(of: names) != nil }

  func first(of names: [String]) -> TouchAssignment? {
    first { assignment in names.contains { ApplicationRule.pattern(assignment.pattern, matches: $0) } }
  }
}

/// Whether a touchscreen or pen is part of the machine: libwacom's knowledge of the model has priority, then
/// INPUT_PROP_DIRECT, then the bus. docs/decisions.md has the sources.
extension MappedTouchscreens.Device {
  /// False for a graphics tablet.
  nonisolated var hasScreen: Bool { integration?.contains(.display) ?? isDirect }

  /// `nil` if it may be built in or not: its size decides, or the settings.
  nonisolated var isBuiltIn: Bool? { integration?.contains(.system) ?? (isOnBoard ? true : nil) }
}
