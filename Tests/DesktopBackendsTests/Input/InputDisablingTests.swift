// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing

@testable import DesktopBackends

/// Devices that are disabled and restored, on a display system that a test plays.
@MainActor
final class InputDisablingTests {
  private let directory: TemporaryDirectory
  private var commands: [String] = []
  private var notes: [Message] = []
  private var failure: Message?

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func start(setsOnlyConnected: Bool = false) -> InputDisabling {
    InputDisabling(
      kept: StateFile(path: directory["kept"]), kernelDirectory: directory["input"],
      note: { [unowned self] in notes.append($0) },
      InputDisabling.Commands(
        disabled: "off", others: ["on", "half"], setsOnlyConnected: setsOnlyConnected,
        set: { [unowned self] state, identifier, ended in
          commands.append("\(identifier) \(state)")
          ended(failure)
        },
        desktop: "it", next: { _ in "try it" }))
  }

  private func input(_ name: String, _ state: String?) -> SwitchableInput {
    SwitchableInput(identifier: name, names: [name], state: state)
  }

  private var kept: String { SystemFile.text(of: directory["kept"]) ?? "" }

  @Test func `the former state is kept and restored`() {
    let disabling = start()
    #expect(!disabling.isNeeded && disabling.kernelDevices.isEmpty)
    disabling.wanted = DisabledInput(names: ["*"])
    disabling.reconcile([input("a", "half"), input("b", "strange"), input("c", "off")])
    #expect(commands == ["a off", "b off"] && disabling.sent == 2)
    #expect(kept == "a half\nb on\n")
    disabling.wanted = nil
    #expect(disabling.isNeeded)
    disabling.reconcile([input("a", "off"), input("b", "off"), input("c", "off")])
    #expect(commands.suffix(2) == ["a half", "b on"])
    #expect(kept.isEmpty && !disabling.isNeeded)
  }

  @Test func `a device that the user has enabled is forgotten`() {
    let disabling = start()
    disabling.wanted = DisabledInput(names: ["*"])
    disabling.reconcile([input("a", "on")])
    disabling.wanted = nil
    disabling.reconcile([input("a", "half")])
    #expect(commands == ["a off"] && kept.isEmpty)
  }

  @Test func `an unplugged device is restored`() {
    let disabling = start()
    disabling.wanted = DisabledInput(names: ["*"])
    disabling.reconcile([input("a", "on"), input("b", "on")])
    disabling.reconcile([input("b", "off")])
    #expect(commands == ["a off", "b off", "a on"] && kept == "b on\n")
  }

  @Test func `a device without a reported state is disabled once`() {
    let disabling = start()
    disabling.wanted = DisabledInput(names: ["*"])
    for _ in 0..<3 { disabling.reconcile([input("a", nil)]) }
    #expect(commands == ["a off"])
    disabling.configurationWasRead()
    disabling.reconcile([input("a", nil)])
    #expect(commands == ["a off", "a off"])
    disabling.wanted = nil
    disabling.reconcile([input("a", nil)])
    #expect(commands.last == "a on" && kept.isEmpty)
  }

  @Test func `the next start knows what is disabled`() throws {
    try directory.write("a half\nb sideways\n", to: "kept")
    let disabling = start()
    #expect(disabling.isNeeded)
    disabling.wanted = DisabledInput(names: ["a"])
    disabling.reconcile([input("a", nil)])
    #expect(commands.isEmpty)
    disabling.stop()
    #expect(commands == ["a half"] && kept.isEmpty)
    #expect(disabling.wanted == nil)
  }

  @Test func `a refusal is noted once for each device`() {
    failure = Message(.displayRefused, "no")
    let disabling = start()
    disabling.wanted = DisabledInput(names: ["*"])
    for _ in 0..<2 { disabling.reconcile([input("a", "on"), input("b", "on")]) }
    #expect(commands.count == 4 && kept.isEmpty)
    #expect(notes.map { $0.description.contains("“a”") } == [true, false])
  }

  @Test(arguments: [true, false])
  func `a failed restoration is retried only where states are not stored`(isStoredElsewhere: Bool) {
    let disabling = start(setsOnlyConnected: !isStoredElsewhere)
    disabling.wanted = DisabledInput(names: ["*"])
    disabling.reconcile([input("a", "half")])
    failure = Message(.displayRefused, "no")
    disabling.wanted = nil
    disabling.reconcile([])
    #expect(kept == (isStoredElsewhere ? "" : "a half\n") && notes.isEmpty)
    failure = nil
    disabling.reconcile([input("a", "off")])
    #expect(commands == ["a off", "a half"] + (isStoredElsewhere ? [] : ["a half"]))
    #expect(kept.isEmpty)
  }

  @Test func `kernel devices are read only while some are wanted`() throws {
    try directory.write("Keyboard\n", to: "input/event4/device/name")
    let disabling = start()
    #expect(disabling.kernelDevices.isEmpty && disabling.kernelDevice(node: "event4") == nil)
    disabling.wanted = DisabledInput()
    #expect(disabling.kernelDevices.map(\.name) == ["Keyboard"])
    #expect(disabling.kernelDevice(node: "event4")?.name == "Keyboard")
  }
}
