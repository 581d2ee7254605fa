// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Maps touchscreens and pens to outputs in the desktop's own settings, as the user's settings assign them. The desktop
/// applies and keeps that.
final class MutterTouch {
  private struct Mapping: Hashable {
    var name: String
    var output: String
    var key: [String]
    var value: String
  }

  /// Reports added and removed input devices for as long as the result lives.
  typealias Watch = (_ changed: @escaping () -> Void) -> AnyObject?

  private let desktop: MutterDesktop
  private let program: SettingsProgram
  private let touchscreens: MappedTouchscreens
  private let watch: Watch
  private let note: (Message) -> Void
  private var watching: AnyObject?
  private var mappings: [Mapping] = []
  private var complained: Set<Mapping> = []
  private let steps = StepQueue()

  /// The outputs of touchscreens and pens, as the settings assign them.
  var assignments: [TouchAssignment] = [] { didSet { if assignments != oldValue { assignmentsChanged() } } }
  /// All monitors, lit or not.
  var monitors: [MonitorState.Monitor] = [] {
    didSet { if monitors.map(\.identity) != oldValue.map(\.identity) { update() } }
  }

  /// - Parameter watch: `nil` for udev, without which (in a container) only the devices found at the start are mapped.
  init(
    _ desktop: MutterDesktop, loop: EventLoop, program: String, touchscreens: MappedTouchscreens,
    watch: Watch? = nil, note: @escaping (Message) -> Void
  ) {
    self.desktop = desktop
    self.program = SettingsProgram(program, loop: loop)
    self.touchscreens = touchscreens
    self.watch = watch ?? { try? UdevMonitor(subsystem: "input", loop: loop, $0) }
    self.note = note
  }

  private func assignmentsChanged() {
    if assignments.isEmpty {
      watching = nil
    } else if watching == nil {
      watching = watch { [weak self] in self?.update() }
    }
    update()
  }

  private func update() {
    let devices = assignments.isEmpty || monitors.isEmpty ? [] : touchscreens.devices()
    let found = devices.compactMap(mapping)
    guard found != mappings else { return }
    mappings = found
    steps.removeAll()
    for mapping in found { steps.add { [weak self] in self?.apply(mapping) } }
  }

  private func mapping(of device: MappedTouchscreens.Device) -> Mapping? {
    guard let output = assignments.first(of: [device.name])?.output,
      let value = monitors.touchValue(of: output)
    else { return nil }
    return Mapping(name: device.name, output: output, key: desktop.touchKey(of: device), value: value)
  }

  private func apply(_ mapping: Mapping) {
    program.run(["get"] + mapping.key) { [weak self] answer in
      guard let self else { return }
      guard (try? answer.get()) != mapping.value else { return steps.next() }
      program.run(["set"] + mapping.key + [mapping.value]) { [weak self] in self?.finish(mapping, $0) }
    }
  }

  private func finish(_ mapping: Mapping, _ answer: Result<String, Message>) {
    if case .failure(let failure) = answer {
      // The next update repeats it.
      mappings.removeAll { $0 == mapping }
      if complained.insert(mapping).inserted {
        note(
          Message(
            .touchMisplaced,
            "\(desktop.name) does not map “\(mapping.name)” to \(mapping.output) (\(failure))",
            next: "check that `gsettings` is installed"))
      }
    }
    steps.next()
  }
}

nonisolated extension MutterDesktop {
  /// Schema, path and name of the setting for the output of a device.
  func touchKey(of device: MappedTouchscreens.Device) -> [String] {
    let kind = device.isPen ? "tablet" : "touchscreen"
    let schema = "\(settings).desktop.peripherals.\(kind)"
    let folder = "\(settings).desktop.peripherals.\(kind)s".replacing(".", with: "/")
    return ["\(schema):/\(folder)/\(device.hardware)/", "output"]
  }
}

nonisolated extension [MonitorState.Monitor] {
  /// The value of that setting for an output, as `gsettings` prints it: vendor, product and serial number. Where
  /// several monitors have the same ones, the connector follows, which only newer versions of Mutter read.
  func touchValue(of output: String) -> String? {
    guard let monitor = first(where: { $0.connector == output }) else { return nil }
    let identity = Array<String>(monitor.identity.dropFirst())
    let isUnique = count { $0.identity.dropFirst() == monitor.identity.dropFirst() } == 1
    return "[\((isUnique ? identity : identity + [output]).map(\.variantText).joined(separator: ", "))]"
  }

  /// The command that stores an output, for a shell.
  func touchCommand(_ key: [String], mappingTo output: String) -> String {
    "gsettings set \(key.joined(separator: " ")) \((touchValue(of: output) ?? "[]").asArgument)"
  }

  /// The output of a value of that setting; `nil` if it is empty, and so the desktop chooses one.
  func output(ofTouchValue value: String) -> String? {
    guard value.contains(where: { !"[]', @as".contains($0) }) else { return nil }
    return map(\.connector).first { touchValue(of: $0) == value } ?? value.printable()
  }
}

nonisolated extension String {
  /// As GVariant prints a string.
  fileprivate var variantText: String {
    let quote: Unicode.Scalar = unicodeScalars.contains { $0 == "'" } ? "\"" : "'"
    let text = unicodeScalars.map { $0 == quote || $0 == "\\" ? "\\\($0)" : "\($0)" }
    return "\(quote)\(text.joined())\(quote)"
  }
}
