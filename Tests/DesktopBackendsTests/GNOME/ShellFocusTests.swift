// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing

@testable import DesktopBackends

/// A fake of the extension of GNOME Shell.
@MainActor private final class FakeExtension {
  var focus: [String: Value] = [:]
  var isTouched = false
  private let bus: Bus
  private var exported: ExportedInterface?

  init(on privateBus: PrivateBus, type: String = "a{sv}", touchType: String? = "b") throws {
    bus = try privateBus.connect()
    let property: BusProperty = (
      "Focus", type, { [unowned self] in type == "s" ? .string("nonsense") : .dictionary(focus) }
    )
    let touched = touchType.map { type -> BusProperty in
      ("Touched", type, { [unowned self] in type == "s" ? .string("nonsense") : .bool(isTouched) })
    }
    exported = try bus.export(
      BusInterface(name: ShellFocus.target.interface, properties: [property] + [touched].compactMap { $0 }),
      at: ShellFocus.target.path)
    _ = try bus.requestName(ShellFocus.target.service)
  }

  func show(_ names: [String], id: UInt64 = 1, isFullscreen: Bool = false, monitor: Int32 = 0) throws {
    focus = [
      "window": .uint64(id), "identifiers": .strings(names), "fullscreen": .bool(isFullscreen),
      "monitor": .int32(monitor),
    ]
    try exported?.emitPropertiesChanged(["Focus"])
  }

  func showNothing() throws {
    focus = [:]
    try exported?.emitPropertiesChanged(["Focus"])
  }

  func showAuxiliary() throws {
    focus["auxiliary"] = .bool(true)
    try exported?.emitPropertiesChanged(["Focus"])
  }

  func touch(_ isTouched: Bool) throws {
    self.isTouched = isTouched
    try exported?.emitPropertiesChanged(["Touched"])
  }

  func end() { bus.close() }
}

@Suite("focus in GNOME", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct ShellFocusTests {
  private let gnome: GNOMEFixture

  init() throws {
    gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
  }

  @Test func `no window is reported without the extension`() throws {
    try gnome.bus.deliver()
    #expect(gnome.windows == [nil])
    #expect(gnome.notes.isEmpty)
  }

  @Test func `the focused window is reported with all its names`() throws {
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["org.gnome.Totem", "totem"], id: 7, isFullscreen: true, monitor: 1)
    try gnome.until("the window") { gnome.windows.last ?? nil != nil }
    #expect(
      gnome.windows.last
        == Window(id: 7, identifiers: ["org.gnome.Totem", "totem"], isFullscreen: true, output: "HDMI-1"))
    try shell.show(["foot"], id: 8)
    try gnome.until("the next") { gnome.windows.last??.identifiers == ["foot"] }
    #expect(gnome.windows.last??.output == "eDP-1")
    try shell.showAuxiliary()
    try gnome.until("its role") { gnome.windows.last??.role == .auxiliary }
    try shell.showNothing()
    try gnome.until("nothing") { gnome.windows.last == .some(nil) }
  }

  @Test func `an extension that ends leaves no window`() throws {
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["mpv"])
    try gnome.until("the window") { gnome.windows.last ?? nil != nil }
    shell.end()
    try gnome.until("its end") { gnome.windows.last == .some(nil) }
  }

  /// GNOME disables extensions in its lock screen.
  @Test(arguments: [true, false])
  func `the window stays only while the screen is locked`(_ isLocked: Bool) throws {
    let target = ShellFocus.shield
    let shield = try gnome.bus.connect()
    var questions = 0
    let method = BusMethod("GetActive", returns: [BusArgument("active", "b")]) { _ in
      questions += 1
      return [.bool(isLocked)]
    }
    let exported = try shield.export(
      BusInterface(name: target.interface, methods: [method]), at: target.path)
    _ = try shield.requestName(target.service)
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["mpv"])
    try gnome.until("the window") { gnome.windows.last ?? nil != nil }
    shell.end()
    try gnome.until("the question") { questions == 1 }
    try gnome.bus.deliver()
    #expect(gnome.windows.last??.identifiers == (isLocked ? ["mpv"] : nil))
    let next = try FakeExtension(on: gnome.bus)
    try next.show(["foot"], id: 2)
    try gnome.until("the next") { gnome.windows.last??.identifiers == ["foot"] }
    withExtendedLifetime((shield, exported)) {}
  }

  @Test func `a later monitor change is reported`() throws {
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["mpv"], monitor: 1)
    try gnome.until("the window") { gnome.windows.last??.output == "HDMI-1" }
    gnome.mutter.places[1].connectors = ["DP-2"]
    try gnome.mutter.emitMonitorsChanged()
    try gnome.until("its new monitor") { gnome.windows.last??.output == "DP-2" }
  }

  @Test func `the chosen one of mirrored monitors is reported`() throws {
    gnome.backend.use(DisplaySettings(output: "DP-1"))
    gnome.mutter.places[0].connectors = ["eDP-1", "DP-1"]
    try gnome.mutter.emitMonitorsChanged()
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["mpv"])
    try gnome.until("the window") { gnome.windows.last??.output == "DP-1" }
  }

  @Test(arguments: [Int32.min, -1, 2, .max])
  func `an invalid monitor number is ignored`(_ monitor: Int32) throws {
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["mpv"], monitor: monitor)
    try gnome.until("the window") { gnome.windows.last ?? nil != nil }
    #expect(gnome.windows.last??.output == nil)
  }

  @Test func `empty and overlong names are left out`() throws {
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["", String(repeating: "x", count: 10_000), "mpv"] + (0..<100).map { "name\($0)" })
    try gnome.until("the window") { gnome.windows.last ?? nil != nil }
    #expect(gnome.windows.last??.identifiers.count == 16)
    #expect(gnome.windows.last??.identifiers.first == "mpv")
  }

  @Test func `a service with another type is ignored`() throws {
    let shell = try FakeExtension(on: gnome.bus, type: "s")
    try gnome.mutter.setPower(3)
    try gnome.until("another event") { gnome.events.last == .displayPowerChanged(isOn: false) }
    #expect(gnome.windows == [nil])
    shell.end()
  }

  private var touches: [Event] { gnome.events.filter { $0 == .touchBegan || $0 == .touchEnded } }

  @Test func `a finger on the screen is reported`() throws {
    let shell = try FakeExtension(on: gnome.bus)
    try shell.show(["mpv"])
    try gnome.until("the window") { gnome.windows.last ?? nil != nil }
    try shell.touch(true)
    try gnome.until("the finger") { touches == [.touchBegan] }
    try shell.touch(false)
    try gnome.until("its end") { touches == [.touchBegan, .touchEnded] }
  }

  @Test func `an extension that ends lifts the finger`() throws {
    let shell = try FakeExtension(on: gnome.bus)
    shell.isTouched = true
    try shell.show(["mpv"])
    try shell.touch(true)
    try gnome.until("the finger") { touches == [.touchBegan] }
    shell.end()
    try gnome.until("its end") { touches == [.touchBegan, .touchEnded] }
  }

  @Test(arguments: [nil, "s"])
  func `an extension without touches still reports the focus`(_ type: String?) throws {
    let shell = try FakeExtension(on: gnome.bus, touchType: type)
    try shell.show(["mpv"])
    try gnome.until("the window") { gnome.windows.last ?? nil != nil }
    #expect(touches.isEmpty)
  }

  @Test func `the preferred one of two mirrors is reported`() throws {
    let bus = try PrivateBus()
    let fake = try FakeExtension(on: bus)
    var windows: [Window?] = []
    let focus = try ShellFocus(try bus.connect(), loop: bus.loop) { event in
      if case .focusChanged(let window) = event { windows.append(window) }
    }
    try fake.show(["mpv"])
    #expect(try bus.run { windows.last??.identifiers == ["mpv"] })
    for (set, output) in [({ focus.monitors = [["A", "B"]] }, "A"), ({ focus.panel = "B" }, "B")] {
      let count = windows.count
      set()
      #expect(windows.count == count + 1 && windows.last??.output == output)
      set()
      #expect(windows.count == count + 1, "nothing has changed")
    }
    withExtendedLifetime(focus) {}
  }
}
