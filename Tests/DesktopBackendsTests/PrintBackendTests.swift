// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import System
import Testing
import Waiting

@Suite("print backend")
@MainActor
struct PrintBackendTests {
  @Test func `it prints one line for each rotation and reports it`() throws {
    let loop = try EventLoop()
    var lines: [String] = []
    var events: [Event] = []
    let backend = try PrintBackend(loop: loop, withMonitor: true) { lines.append($0) }
    backend.start(report: { events.append($0) }, gone: { _ in })
    #expect(events.isEmpty)
    var isDone = false
    backend.apply(.rotated90, to: "eDP-1") { result in isDone = (try? result.get()) != nil }
    #expect(!isDone)
    try loop.runPending()
    #expect(isDone)
    #expect(lines == ["eDP-1: rotated 90° anticlockwise, 1080x1920"])
    guard case .outputsChanged(let outputs) = events.last else {
      Issue.record("no outputs were reported")
      return
    }
    #expect(outputs.map(\.name) == ["eDP-1", "HDMI-1"])
    #expect(outputs.map(\.transform) == [.rotated90, .none])
  }

  @Test func `the panel is reported at the start`() throws {
    let loop = try EventLoop()
    var events: [Event] = []
    let backend = try PrintBackend(loop: loop) { Issue.record("printed \($0)") }
    backend.start(report: { events.append($0) }, gone: { _ in })
    try loop.runPending()
    guard case .outputsChanged(let outputs) = events.first else {
      Issue.record("no outputs were reported")
      return
    }
    #expect(outputs.map(\.name) == ["eDP-1"])
  }

  @Test func `it has no other output`() throws {
    let loop = try EventLoop()
    let backend = try PrintBackend(loop: loop) { Issue.record("printed \($0)") }
    var failure: Message?
    backend.apply(.rotated90, to: "HDMI-1") { result in
      if case .failure(let reason) = result { failure = reason }
    }
    try loop.runPending()
    #expect(failure?.description.contains("HDMI-1") == true)
  }
}
