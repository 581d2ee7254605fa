// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import PrivateBus
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// A backend on a private bus with a fake Mutter, and its reports.
@MainActor final class GNOMEFixture {
  let bus: PrivateBus
  let mutter: FakeMutter
  let backend: GNOMEBackend
  let directory: TemporaryDirectory
  private(set) var events: [Event] = []
  private(set) var notes: [String] = []
  private(set) var ends: [String] = []

  static let besideEachOther = [
    FakeMutter.Place(
      x: 0, y: 0, width: 1920, height: 1080, isPrimary: true, connectors: ["eDP-1"]),
    FakeMutter.Place(x: 1920, y: 0, width: 1024, height: 768, connectors: ["HDMI-1"]),
  ]

  init(
    _ desktop: MutterDesktop = .gnome, places: [FakeMutter.Place] = besideEachOther,
    settings: DisplaySettings = DisplaySettings(),
    settingsProgram: String = "/bin/false", types: [String] = MonitorState.types,
    directory given: TemporaryDirectory? = nil, inputDirectory: String = "/nonexistent",
    mounts: KernelPanelMounts = KernelPanelMounts { _ in nil },
    prepare: (FakeMutter) throws -> Void = { _ in }
  ) throws {
    let bus = try PrivateBus()
    self.bus = bus
    mutter = try FakeMutter(desktop, on: bus, places: places, types: types)
    try prepare(mutter)
    directory = try given ?? TemporaryDirectory()
    var note: (Message) -> Void = { _ in }
    backend = try GNOMEBackend(
      desktop, loop: bus.loop, bus: .at(address: bus.address), settings: settings,
      settingsProgram: settingsProgram,
      stateDirectory: directory.path, inputDirectory: inputDirectory, mounts: mounts, note: { note($0) })
    note = { [unowned self] in notes.append($0.description) }
    try backend.start(
      report: { [unowned self] in events.append($0) }, gone: { [unowned self] in ends.append($0.description) }
    )
    #expect(events.isEmpty, "nothing is reported from within start")
  }

  var outputs: [Output] {
    events.reversed().lazy.compactMap { if case .outputsChanged(let all) = $0 { all } else { nil } }.first
      ?? []
  }
  /// The last report that the desktop rotates the screen; `nil` without one.
  var desktopRotates: Message?? {
    events.reversed().lazy.compactMap { event -> Message?? in
      if case .desktopRotates(let who) = event { .some(who) } else { nil }
    }.first
  }
  var windows: [Window?] {
    events.compactMap { event -> Window?? in
      if case .focusChanged(let window) = event { .some(window) } else { nil }
    }
  }

  func until(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, _ condition: () -> Bool
  ) throws {
    try bus.loop.wait(for: what, file: file, line: line, until: condition)
  }

  func awaitOutputs() throws {
    try until("outputs") { !outputs.isEmpty }
  }

  /// Rotates an output and waits for the result.
  func rotate(_ output: String = "eDP-1", to transform: DisplayTransform) throws -> Result<
    Void, Message
  > {
    var result: Result<Void, Message>?
    backend.apply(transform, to: output) { result = $0 }
    #expect(result == nil, "nothing is completed from within apply")
    try until("the end of the rotation") { result != nil }
    return try #require(result)
  }

  func failure(of output: String = "eDP-1", to transform: DisplayTransform) throws -> String {
    guard case .failure(let failure) = try rotate(output, to: transform) else { return "" }
    return failure.description
  }
}
