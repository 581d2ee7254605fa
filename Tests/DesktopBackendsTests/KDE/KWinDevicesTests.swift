// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Temporary
import Testing

@testable import DesktopBackends

/// KWin's input devices over the bus: those that are disabled in tablet mode, and touchscreens that are mapped.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
final class KWinDevicesTests {
  private typealias Device = FakeKWinDevices

  private let home: PrivateBus
  private let own: Bus
  private let kwin: FakeKWinDevices
  private let directory: TemporaryDirectory
  private var notes: [Message] = []
  private var input: KWinInput?

  init() throws {
    home = try PrivateBus()
    own = try home.connect()
    kwin = try FakeKWinDevices(on: home)
    directory = try TemporaryDirectory()
    kwin.devices = [
      "event4": Device.device("Keyboard", "keyboard"), "event5": Device.device("Pad", "touchpad"),
      "event6": Device.device("Touch", "touch"),
    ]
    input = KWinInput(
      own, loop: home.loop, kept: StateFile(path: directory["kept"]), kernelDirectory: directory["sys"],
      note: { [unowned self] in notes.append($0) })
    try input?.start()
  }

  private var kept: String { SystemFile.text(of: directory["kept"]) ?? "" }

  private func wait(_ changes: [String]) throws {
    #expect(try home.run { kwin.changes.count >= changes.count })
    try home.deliver()
    #expect(kwin.changes == changes)
  }

  private let disabled = ["event4 enabled false", "event5 enabled false"]

  @Test func `devices are disabled and restored`() throws {
    input?.disable(DisabledInput(names: ["*"]))
    try wait(disabled)
    #expect(kept == "1:2:Keyboard true\n1:2:Pad true\n")
    input?.disable(nil)
    try wait(disabled + ["event4 enabled true", "event5 enabled true"])
    #expect(kept.isEmpty && notes.isEmpty)
  }

  @Test func `nothing is read while nothing is wanted`() throws {
    try kwin.signal("deviceAdded")
    try home.deliver()
    #expect(kwin.readings == 0)
    input?.disable(DisabledInput(names: ["Nothing"]))
    #expect(try home.run { kwin.readDevices == ["event4", "event5", "event6"] })
    try home.deliver()
    #expect(kwin.readings == 1 && kwin.changes.isEmpty)
  }

  @Test(arguments: ["deviceAdded", "deviceRemoved"])
  func `devices are read again when they change`(signal: String) throws {
    kwin.devices = [:]
    input?.disable(DisabledInput(names: ["*"]))
    #expect(try home.run { kwin.readings == 1 })
    try home.deliver()
    kwin.devices = ["event4": Device.device("Keyboard", "alphaNumericKeyboard")]
    try kwin.signal(signal)
    try wait(["event4 enabled false"])
  }

  @Test func `an unplugged device is restored when it is back`() throws {
    input?.disable(DisabledInput(names: ["*"]))
    try wait(disabled)
    let pad = kwin.devices["event5"]
    kwin.devices["event5"] = nil
    input?.disable(nil)
    try wait(disabled + ["event4 enabled true"])
    #expect(kept == "1:2:Pad true\n")
    kwin.devices["event5"] = pad
    try kwin.signal("deviceAdded")
    try wait(disabled + ["event4 enabled true", "event5 enabled true"])
    #expect(kept.isEmpty)
  }

  @Test func `devices of one name are disabled together`() throws {
    kwin.devices["event5"] = Device.device("Keyboard", "keyboard", isEnabled: false)
    input?.disable(DisabledInput(names: ["Keyboard"]))
    try wait(["event4 enabled false", "event5 enabled false"])
  }

  @Test func `a name that is no event node is not read`() throws {
    kwin.devices["../event9"] = Device.device("Strange", "keyboard")
    kwin.devices["event"] = Device.device("Strange", "keyboard")
    input?.disable(DisabledInput(names: ["*"]))
    try wait(disabled)
    #expect(kwin.readDevices == ["event4", "event5", "event6"])
  }

  @Test func `a device that does not answer is asked once more`() throws {
    kwin.devices["event7"] = .some(nil)
    input?.disable(DisabledInput(names: ["*"]))
    try wait(disabled)
    #expect(kwin.readings == 2)
  }

  @Test func `a refusal is noted once`() throws {
    kwin.refusesChanges = true
    input?.disable(DisabledInput(names: ["Keyboard"]))
    try wait(["event4 enabled false"])
    try kwin.signal("deviceAdded")
    try wait(["event4 enabled false", "event4 enabled false"])
    #expect(try home.run { kept.isEmpty })
    #expect(notes.map(\.code) == [.inputNotDisabled])
  }

  /// It was repeated every 5 minutes.
  @Test func `a refused change is repeated a limited number of times`() throws {
    kwin.refusesChanges = true
    input?.stop(on: nil)
    input = KWinInput(
      own, loop: home.loop, kept: StateFile(path: directory["kept"]), kernelDirectory: directory["sys"],
      backoff: Backoff(first: 1_000_000, longest: 4_000_000), note: { _ in })
    try input?.start()
    input?.disable(DisabledInput(names: ["Keyboard"]))
    let limit = 3
    #expect(try home.run { kwin.changes.count >= limit })
    for _ in 0..<100 { try home.deliver() }
    #expect(kwin.changes.count == limit)
    try kwin.signal("deviceAdded")
    #expect(try home.run { kwin.changes.count == 2 * limit })
  }

  @Test func `devices are restored at the end`() throws {
    input?.disable(DisabledInput(names: ["Keyboard"]))
    try wait(["event4 enabled false"])
    let last = try Bus(.at(address: home.address))
    _ = try last.ask(.driver, "GetId")
    input?.stop(on: last)
    #expect(try home.run { kwin.changes == ["event4 enabled false", "event4 enabled true"] })
  }

  // MARK: Outputs

  @Test func `a touchscreen is mapped as the settings say`() throws {
    input?.touchMap = [TouchAssignment("T*", on: "DP-1"), TouchAssignment("Keyboard", on: "DP-1")]
    #expect(try home.run { kwin.readings == 1 })
    try home.deliver()
    #expect(kwin.changes.isEmpty, "there is no such output yet")
    input?.outputs = ["eDP-1", "DP-1"]
    try wait(["event6 outputName DP-1"])
    // It is mapped already. Each request comes after those of the reading before.
    input?.disable(DisabledInput(names: ["Keyboard"]))
    #expect(try home.run { kwin.changes.count == 2 })
    input?.disable(nil)
    try wait(["event6 outputName DP-1", "event4 enabled false", "event4 enabled true"])
  }

  @Test func `a touchscreen that cannot be mapped is noted once`() throws {
    kwin.refusesChanges = true
    input?.touchMap = [TouchAssignment("T*", on: "DP-1")]
    input?.outputs = ["DP-1"]
    #expect(try home.run { !notes.isEmpty })
    try kwin.signal("deviceAdded")
    #expect(try home.run { kwin.changes.count >= 2 })
    try home.deliver()
    #expect(notes.map(\.code) == [.touchMisplaced])
  }

  @Test func `the same settings cause no reading`() throws {
    let set = {
      self.input?.touchMap = [TouchAssignment("T*", on: "DP-1")]
      self.input?.outputs = ["eDP-1"]
    }
    set()
    #expect(try home.run { kwin.readings == 1 })
    for _ in 0..<3 { set() }
    input?.touchMap = []
    input?.outputs = ["DP-1"]
    try home.deliver()
    #expect(kwin.readings == 1)
  }

  @Test func `doctor sees touchscreens and pens`() throws {
    kwin.devices["event10"] = Device.device("Pen", "tabletTool")
    #expect(try home.run { own.isReady })
    let found = KWinTouchDevice.all(on: own)
    // On a busy machine a device may not answer in time.
    #expect(["event10", "event6"].starts(with: found.map(\.node)))
    #expect(["Pen", "Touch"].starts(with: found.map(\.name)))
  }
}
