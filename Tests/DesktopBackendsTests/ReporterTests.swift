// SPDX-License-Identifier: MIT

import Autorotation
import Temporary
import Testing

@testable import DesktopBackends

@Suite("reports to the core")
@MainActor
struct ReporterTests {
  private let report = Reporter()
  private let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
  private let window = Window(id: 7, identifiers: ["mpv"])

  private func start() -> () -> [Event] {
    var events: [Event] = []
    report.start({ events.append($0) }, gone: { _ in })
    return { events }
  }

  @Test func `the same event is reported once`() {
    let events = start()
    for _ in 0..<2 {
      report(.displayPowerChanged(isOn: true))
      report(.outputsChanged([panel]))
      report(.focusChanged(nil))
    }
    #expect(events() == [.outputsChanged([panel]), .focusChanged(nil)])
  }

  @Test func `no window is reported only once it is known`() {
    let events = start()
    report(.outputsChanged([panel]))
    #expect(events() == [.outputsChanged([panel])])
    report(.focusChanged(nil))
    #expect(events().last == .focusChanged(nil))
  }

  @Test func `a rotation back after a successful rotation is reported`() {
    let events = start()
    report(.outputsChanged([panel]))
    report.rotated([PanelRotation("eDP-1", to: .rotated90)])
    report(.outputsChanged([panel]))
    #expect(events() == [.outputsChanged([panel]), .outputsChanged([panel])])
  }

  @Test func `a rotation to what was reported is no change`() {
    let events = start()
    report(.outputsChanged([panel]))
    report.rotated([PanelRotation("eDP-1", to: .none)])
    #expect(!report(.outputsChanged([panel])))
    #expect(events() == [.outputsChanged([panel])])
  }

  @Test func `the power is reported when it changes`() {
    let events = start()
    for isOn in [false, false, true, true] { report(.displayPowerChanged(isOn: isOn)) }
    #expect(events() == [.displayPowerChanged(isOn: false), .displayPowerChanged(isOn: true)])
  }

  @Test func `a window is reported when it changes`() {
    let events = start()
    #expect(!report.hasReportedOutputs)
    report(.outputsChanged([panel]))
    #expect(report.hasReportedOutputs)
    for _ in 0..<2 { report(.focusChanged(window)) }
    for _ in 0..<2 { report(.focusChanged(nil)) }
    #expect(events() == [.outputsChanged([panel]), .focusChanged(window), .focusChanged(nil)])
  }

  @Test func `the end is reported once`() {
    var ends = 0
    #expect(!report.isRunning)
    report.start({ _ in }, gone: { _ in ends += 1 })
    #expect(report.isRunning)
    for _ in 0..<2 { report.end(Message(.displayEnded, "the end")) }
    #expect(ends == 1 && !report.isRunning)
  }

  @Test func `the window waits for the outputs`() {
    let events = start()
    report(.focusChanged(window))
    #expect(events().isEmpty)
    report(.outputsChanged([panel]))
    #expect(events() == [.outputsChanged([panel]), .focusChanged(window)])
  }

  @Test func `a window has the orientations of its desktop file`() throws {
    let directory = try TemporaryDirectory()
    let entry = "[Desktop Entry]\nType=Application\nX-Lomiri-Supported-Orientations=portrait\n"
    try directory.write(entry, to: "mpv.desktop")
    let report = Reporter(desktopFiles: DesktopFiles(directories: [directory.path]))
    report(.focusChanged(window))
    #expect(report.window?.declared == [.portrait])
  }
}
