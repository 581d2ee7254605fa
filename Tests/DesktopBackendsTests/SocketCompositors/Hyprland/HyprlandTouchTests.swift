// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// The touchscreens and pens that autorotate rotates with the panel on Hyprland.
@Suite("touchscreens on Hyprland", .serialized)
@MainActor
final class HyprlandTouchTests {
  private let place: TemporaryDirectory
  private var transform = "0"
  private var isDocked = false
  private static let rotated = ["panel-touch", "two-pens", "two-pens-1"]

  init() throws {
    place = try TemporaryDirectory()
    let port = "E:ID_PATH=pci-0000:00:14.0-usb-0:2:1.0"
    try addDevice(66, "Wacom Cintiq Pro 16 Pen", bus: "0003", port)
    try addDevice(67, "Wacom Intuos Pro M Pen", bus: "0003", isDirect: false, port)
    try addDevice(68, "Strange Touch", bus: "0003", port)
    try addDevice(69, "Panel Touch", bus: "0018")
    try addDevice(70, "Two Pens", bus: "0018", isDirect: false)
    try addDevice(71, "Two Pens", bus: "0018")
  }

  /// Adds a touchscreen to udev's database.
  private func addDevice(
    _ number: Int, _ name: String, bus: String, isDirect: Bool = true, _ property: String = ""
  ) throws {
    try place.write("\(name)\n", to: "input/event\(number)/device/name")
    try place.write("\(bus)\n", to: "input/event\(number)/device/id/bustype")
    try place.write(isDirect ? "2\n" : "1\n", to: "input/event\(number)/device/properties")
    try place.write("13:\(number)\n", to: "input/event\(number)/dev")
    try place.write("E:ID_INPUT_TABLET=1\n\(property)\n", to: "c13:\(number)")
  }

  private var touchscreens: MappedTouchscreens {
    var known = MappedTouchscreens(database: place.path, kernelDirectory: place["input"])
    known.integration = { $0.name.contains("Cintiq") ? [.display] : nil }
    return known
  }

  private func answer(_ request: String) -> String {
    switch request {
    case "j/monitors all":
      let monitor = #""width":1280,"height":800,"y":0,"scale":1,"dpmsStatus":true"#
      let panel = #"{"name":"eDP-1","x":0,"transform":\#(transform),\#(monitor)}"#
      return isDocked ? #"[\#(panel),{"name":"DP-1","x":1280,"transform":0,\#(monitor)}]"# : "[\(panel)]"
    case "j/devices":
      let pens = ["wacom-cintiq-pro-16-pen", "wacom-intuos-pro-m-pen", "two-pens", "two-pens-1"]
      let touches = ["strange-touch", "panel-touch"]
      let entries = { (names: [String]) in names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",") }
      return #"{"touch":[\#(entries(touches))],"tablets":[\#(entries(pens))]}"#
    case "/eval return 1": return "unknown request"
    case let text where text.hasPrefix("/keyword monitor eDP-1,"):
      transform = text.split(separator: ",").last.map(String.init) ?? ""
      return "ok"
    case let text where text.contains("transform"): return "ok"
    default: return "{}"
    }
  }

  private func start() throws -> (RunningDesktop, FakeHyprland) {
    var hyprland: FakeHyprland?
    let running = try RunningDesktop { [unowned self] loop, note in
      let fake = try FakeHyprland(loop: loop) { [unowned self] in answer($0) }
      hyprland = fake
      let context = CompositorContext(loop: loop, timeout: EventLoop.limit, note: note)
      let dialect = try HyprlandDialect(place: fake.place(), context, touchscreens: touchscreens)
      return try CompositorBackend(dialect, context)
    }
    running.other = hyprland
    return (running, try #require(hyprland))
  }

  private func requests(_ hyprland: FakeHyprland) -> [String] {
    hyprland.asked.filter { $0.contains("]:transform") }
  }

  @Test func `only built-in devices rotate with the panel`() throws {
    let (running, hyprland) = try start()
    try running.wait("the mapping") { requests(hyprland).count >= 3 }
    #expect(requests(hyprland) == Self.rotated.map { "/keyword device[\($0)]:transform 0" })
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    try running.wait("the rotation of devices") { requests(hyprland).count >= 6 }
    #expect(requests(hyprland).suffix(3) == Self.rotated.map { "/keyword device[\($0)]:transform 1" })
    try running.wait("the note") { running.notes.contains { $0.contains("strange-touch") } }
    #expect(running.notes.count == 1, "\(running.notes)")
  }

  @Test func `a device that is ignored later is released`() throws {
    (isDocked, transform) = (true, "1")
    let (running, hyprland) = try start()
    try running.wait("the mapping") { requests(hyprland).count >= 3 }
    running.backend.use(DisplaySettings(ignoredDevices: ["Panel Touch"]))
    try running.wait("the release") { requests(hyprland).count > 3 }
    let device = "/keyword device[panel-touch]"
    #expect(requests(hyprland)[3] == "[[BATCH]]\(device):output [[EMPTY]];\(device):transform 0")
  }

  @Test func `beside a monitor devices are mapped to the panel`() throws {
    (isDocked, transform) = (true, "1")
    let (running, hyprland) = try start()
    try running.wait("the mapping") { requests(hyprland).count >= 3 }
    let mapped = Self.rotated.map { device in
      "[[BATCH]]/keyword device[\(device)]:output eDP-1;/keyword device[\(device)]:transform 1"
    }
    #expect(requests(hyprland) == mapped)
    isDocked = false
    hyprland.sendEvent("monitorremoved>>DP-1")
    try running.wait("the panel alone") { requests(hyprland).count >= 6 }
    #expect(requests(hyprland).suffix(3) == Self.rotated.map { "/keyword device[\($0)]:transform 1" })
  }
}
