// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import System
import Testing

@testable import autorotate

/// When input devices are disabled, and by whom.
@MainActor
struct ComfortsTests {
  private final class Desktop: DesktopBackend {
    let name = "Toy"
    var isAble = true
    private(set) var disabled: [DisabledInput?] = []

    func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) {}
    func use(_ settings: DisplaySettings) {}
    func apply(_ turns: [PanelTurn], completion: @escaping (Result<Void, Message>) -> Void) {}
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
  private let comforts: Comforts
  private let settings = TabletSettings(disabledInput: DisabledInput())

  init() throws {
    let notes = notes
    comforts = try Comforts(loop: EventLoop(), backend: desktop) { notes.sentences.append($0) }
  }

  @Test func onlyAKnownTabletCounts() {
    comforts.use(settings)
    for posture in [Posture.unknown, .laptop, .docked, .unknown] { comforts.use(posture) }
    #expect(desktop.disabled.isEmpty)
    comforts.use(.tablet)
    #expect(desktop.disabled == [DisabledInput()])
    comforts.use(.unknown)
    #expect(desktop.disabled == [DisabledInput(), nil])
  }

  @Test(arguments: [Posture.tent, .stand])
  func onWhatATabletStandsMakesNoDifference(_ posture: Posture) {
    comforts.use(settings)
    comforts.use(posture)
    #expect(desktop.disabled == [DisabledInput()])
    comforts.use(.tablet)
    #expect(desktop.disabled == [DisabledInput()])
  }

  @Test func nothingIsDisabledUnlessItIsSet() {
    comforts.use(TabletSettings())
    comforts.use(.tablet)
    #expect(desktop.disabled.isEmpty)
    comforts.use(settings)
    comforts.use(settings)
    #expect(desktop.disabled == [DisabledInput()])
  }

  @Test func aDesktopThatCannotIsToldOnce() {
    desktop.isAble = false
    comforts.use(settings)
    for posture in [Posture.tablet, .laptop, .tablet] { comforts.use(posture) }
    #expect(notes.sentences.count == 1)
    #expect(notes.sentences.first?.contains("disable-input") == true)
  }
}
