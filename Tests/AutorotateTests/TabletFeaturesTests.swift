// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import System
import Testing

@testable import autorotate

/// When input devices are disabled.
@MainActor
struct TabletFeaturesTests {
  private final class Desktop: DesktopBackend {
    let name = "Toy"
    var isAble = true
    private(set) var disabled: [DisabledInput?] = []

    func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) {}
    func use(_ settings: DisplaySettings) {}
    func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {}
    func disable(_ devices: DisabledInput?) -> Bool {
      disabled.append(devices)
      return isAble
    }
    func stop() {}
  }

  private final class Notes {
    var sentences: [String] = []
  }

  private let desktop = Desktop()
  private let notes = Notes()
  private let tabletFeatures: TabletFeatures
  private let settings: MachineSettings

  init() throws {
    var settings = MachineSettings()
    settings.disablesInput = true
    self.settings = settings
    let notes = notes
    tabletFeatures = try TabletFeatures(loop: EventLoop()) { notes.sentences.append($0) }
    tabletFeatures.backend = desktop
  }

  @Test func `input is disabled only in known tablet mode`() {
    tabletFeatures.settings = settings
    for posture in [Posture.unknown, .laptop, .docked, .unknown] { tabletFeatures.posture = posture }
    #expect(desktop.disabled.isEmpty)
    tabletFeatures.posture = .tablet
    #expect(desktop.disabled == [DisabledInput()])
    tabletFeatures.posture = .unknown
    #expect(desktop.disabled == [DisabledInput(), nil])
  }

  @Test(arguments: [Posture.tent, .stand])
  func `tent and stand count as tablet mode`(_ posture: Posture) {
    tabletFeatures.settings = settings
    tabletFeatures.posture = posture
    #expect(desktop.disabled == [DisabledInput()])
    tabletFeatures.posture = .tablet
    #expect(desktop.disabled == [DisabledInput()])
  }

  @Test func `input is disabled only if configured`() {
    tabletFeatures.settings = MachineSettings()
    tabletFeatures.posture = .tablet
    #expect(desktop.disabled.isEmpty)
    tabletFeatures.settings = settings
    tabletFeatures.settings = settings
    #expect(desktop.disabled == [DisabledInput()])
  }

  @Test(arguments: [Posture.tablet, .laptop])
  func `a display that starts later disables input at once`(_ posture: Posture) {
    tabletFeatures.backend = nil
    tabletFeatures.settings = settings
    tabletFeatures.posture = posture
    #expect(desktop.disabled.isEmpty)
    tabletFeatures.backend = desktop
    #expect(desktop.disabled == (posture == .tablet ? [DisabledInput()] : []))
    #expect(notes.sentences.isEmpty)
  }

  @Test func `a desktop that cannot disable input is reported once`() {
    desktop.isAble = false
    tabletFeatures.settings = settings
    for posture in [Posture.tablet, .laptop, .tablet] { tabletFeatures.posture = posture }
    #expect(notes.sentences.count == 1)
    #expect(notes.sentences.first?.contains("disable-input") == true)
  }
}
