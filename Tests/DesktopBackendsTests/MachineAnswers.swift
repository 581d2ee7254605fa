// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends
@testable import System

/// The directory with the questions of `Tests/Machines/test-machines`, which also reads the answers there.
private enum MachineQuestions {
  static let place = Environment.variable("MACHINE_QUESTIONS")
}

/// Decisions on the file trees that `Tests/Machines/test-machines` writes. That program compares them with the expected ones.
@Suite(.enabled(if: MachineQuestions.place != nil, "Tests/Machines/test-machines asks it"))
@MainActor
struct MachineAnswers {
  private let place = MachineQuestions.place ?? ""

  /// - Parameter rows: each begins with the name of the device or machine in question.
  private func answer(_ rows: [[String]]) throws {
    let text = rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    #expect(!rows.isEmpty)
    try SystemFile.replace("\(place)/answers", with: Array(text.utf8), mode: 0o600)
  }

  /// With a panel of 344 x 194 mm and a monitor.
  @Test func `touchscreens and pens`() throws {
    let outputs = [
      Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080),
      Output(name: "HDMI-A-1", isBuiltIn: false, isExternal: true, width: 1920, height: 1080),
    ]
    let placement = TouchPlacement(outputs: outputs, settings: DisplaySettings()) {
      $0 == "eDP-1" ? PhysicalSize(width: 344, height: 194) : nil
    }
    let known = MappedTouchscreens(
      database: "\(place)/udev", kernelDirectory: "\(place)/input")
    let devices = Dictionary(grouping: known.devices(), by: \.name)
    try answer(
      devices.flatMap { name, devices in
        let output = placement.place(of: devices, named: [name]).output
        return devices.map { [$0.node, output ?? "left alone"] }
      })
  }

  @Test func `keyboards and tablet switches`() throws {
    let texts = QuirkDatabase.installedTexts(directory: nil)
    try answer(
      SystemFile.names(in: place).sorted().map { name in
        let tree = SystemFile.line(of: "\(place)/\(name)/tree") ?? ""
        let machine = MachineIdentity(
          dmi: SystemFile.line(of: "\(place)/\(name)/dmi") ?? "", deviceTree: tree.isEmpty ? [] : [tree])
        let quirks = QuirkDatabase(of: machine, texts: texts)
        let inputs = KernelInput.all(in: "\(place)/\(name)/input", quirks: quirks)
        return [name] + inputs.flatMap(Self.words)
      })
  }

  private static func words(_ input: KernelInput) -> [String] {
    [
      input.isBuiltInHardware ? "internal" : "external", input.isOffInTabletPosture ? "off" : "on",
      input.isTabletSwitch ? "switch" : "no switch",
    ]
  }

  @Test func `panels that are built in sideways`() throws {
    let mounts: [String: PanelMount] = ["left": .leftSideUp, "right": .rightSideUp]
    let rows = try #require(SystemFile.text(of: "\(place)/questions")).split(separator: "\n")
    try answer(
      rows.map { row in
        let fields = row.split(separator: "\t").map(String.init)
        var panel = Output(
          name: "eDP-1", isBuiltIn: true, width: try #require(Int(fields[1])),
          height: try #require(Int(fields[2])))
        panel.mount = try #require(mounts[fields[3]])
        return [fields[0], "\(panel.naturalAspect)"] + Self.shown(on: panel)
      })
  }

  private static func shown(on panel: Output) -> [String] {
    [DeviceOrientation.normal, .rightUp, .bottomUp, .leftUp].flatMap { device in
      var machine = Autorotator()
      _ = machine.handle(.sensorFound(name: "accelerometer"), at: Instant(seconds: 0))
      _ = machine.handle(.outputsChanged([panel]), at: Instant(seconds: 0))
      _ = machine.handle(.deviceRotated(device), at: Instant(seconds: 0.1))
      let orientation = machine.situation.decide().orientation
      let turns = DisplayTransform(showing: orientation, on: panel.mount).rawValue
      return [device.rawValue, "\(orientation)", "\(turns)"]
    }
  }
}
