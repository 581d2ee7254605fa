// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("restoration of outputs")
@MainActor
struct RestorationTests {
  private let lit = ScreenChangeTests.state()

  /// `lit` with the CRTCs of these outputs off.
  private func losing(_ names: String...) -> RandRState {
    var state = lit
    for index in state.connectors.indices where names.contains(state.connectors[index].name) {
      let id = state.connectors[index].crtc
      state.connectors[index].crtc = 0
      for crtc in state.crtcs.indices where state.crtcs[crtc].id == id {
        state.crtcs[crtc] = ScreenChangeTests.crtc(id, mode: 0, .init(x: 0, y: 0, width: 0, height: 0), 0x3f)
      }
    }
    return state
  }

  @Test func `lost outputs get back their place, mode and rotation`() throws {
    var before = lit
    before.crtcs[1].rotation = 2
    before.crtcs[1].rectangle = .init(x: 1280, y: 0, width: 768, height: 1024)
    let restored = try #require(losing("eDP-1", "HDMI-1").restoring([before.crtcs[0], before.crtcs[1]]))
    #expect(restored.crtcs == before.crtcs)
    #expect((restored.screen.size.width, restored.screen.size.height) == (2048, 1024))
  }

  @Test func `every second attempt drops the rotation`() throws {
    var panel = lit.crtcs[0]
    panel.rotation = 2
    panel.rectangle = .init(x: 0, y: 0, width: 800, height: 1280)
    let restored = try #require(losing("eDP-1").restoring([panel], dropsRotation: true))
    #expect(restored.crtcs[0] == lit.crtcs[0])
  }

  @Test func `a missing mode is replaced by the preferred one`() throws {
    var state = losing("HDMI-1")
    state.modes[72] = nil
    let restored = try #require(state.restoring([lit.crtcs[1]]))
    #expect(restored.crtcs[1].mode == 71)
    #expect(restored.crtcs[1].rectangle == .init(x: 1280, y: 0, width: 1280, height: 800))
  }

  @Test func `a CRTC in use is replaced by a free one`() throws {
    var state = losing("HDMI-1")
    state.crtcs[1] = lit.crtcs[1]
    state.crtcs[1].outputs = [13]
    let restored = try #require(state.restoring([lit.crtcs[1]]))
    #expect(restored.crtcs[2].outputs == [12])
    #expect(restored.crtcs[1] == state.crtcs[1])
  }

  @Test(arguments: [800, 1600])
  func `an output whose neighbour has moved is placed beside it`(width: Int) throws {
    let panel = ScreenRectangle(x: 0, y: 0, width: width, height: 1280)
    var state = losing("HDMI-1")
    state.crtcs[0].rectangle = panel
    let restored = try #require(state.restoring([lit.crtcs[1]]))
    #expect(restored.crtcs[1].rectangle == .init(x: panel.maxX, y: 0, width: 1024, height: 768))
    #expect(restored.screen.size.width == panel.width + 1024)
  }

  @Test func `an output that mirrored another mirrors it again`() throws {
    var mirror = lit.crtcs[1]
    mirror.rectangle.x = 0
    let restored = try #require(losing("HDMI-1").restoring([mirror]))
    #expect(restored.crtcs[1].rectangle == mirror.rectangle)
  }

  @Test func `unplugged, lit and too large outputs are not restored`() {
    var unplugged = losing("HDMI-1")
    unplugged.connectors[1].isConnected = false
    #expect(unplugged.restoring([lit.crtcs[1]]) == nil)
    #expect(lit.restoring([lit.crtcs[1]]) == nil)
    var small = losing("HDMI-1")
    small.largestScreen = .init(width: 2000, height: 2000)
    #expect(small.restoring([lit.crtcs[1]]) == nil)
  }

  @Test func `only lost outputs get a failure`() {
    let outputs = losing("HDMI-1").outputs(
      notRestored: [lit.crtcs[0], lit.crtcs[1]], because: "RandR status 3")
    #expect(outputs.map { $0.switchOnFailure != nil } == [false, true])
    #expect(outputs[1].switchOnFailure?.description.contains("RandR status 3") == true)
  }

  @Test func `CRTCs are written as numbers and read back`() {
    let records = CRTCRecord.crtcs(from: CRTCRecord.numbers(of: [lit.crtcs[0], lit.crtcs[1]]))
    #expect(records.map(\.id) == [1, 2])
    #expect(records.map(\.mode) == [71, 72])
    #expect(records.map(\.rectangle) == lit.crtcs.prefix(2).map(\.rectangle))
    #expect(records.map(\.outputs) == [[11], [12]])
  }

  @Test(
    arguments: [
      [1], [1, 0, 0, 0, 1, 1, 1, 1, 11], [1, 71, 0, 0, 40000, 1, 1, 1, 11], [1, 71, 0, 0, 1, 1, 3, 1, 11],
      [1, 71, 0, 0, 1, 1, 1, 0], [1, 71, 0, 0, 1, 1, 1, 2, 11], [1, 71, .max, 0, 1, 1, 1, 1, 11],
      [1, 71, 0, 0, 1, 1, .max, 1, 11], [1, 71, 0, 0, 1, 1, 1, .max, 11],
    ] as [[UInt32]])
  func `invalid numbers are ignored`(numbers: [UInt32]) {
    #expect(CRTCRecord.crtcs(from: numbers).isEmpty)
  }
}

@Suite("schedule of restoration")
@MainActor
struct RestorationScheduleTests {
  private func seconds(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  @Test func `nothing is due while nothing is off`() {
    var schedule = RestorationSchedule()
    schedule.retryNow(at: seconds(1))
    #expect(schedule.due == nil && !schedule.isDue(at: seconds(1000)))
  }

  @Test func `the first attempt is due at once`() {
    var schedule = RestorationSchedule()
    schedule.start(at: seconds(1))
    #expect(schedule.isDue(at: seconds(1)))
  }

  @Test func `intervals grow and the last one repeats`() {
    var schedule = RestorationSchedule()
    var waits: [Duration] = []
    for _ in 1...9 {
      schedule.fail(at: seconds(0))
      waits.append(.nanoseconds(schedule.due?.nanoseconds ?? 0))
    }
    #expect(waits == [0.25, 0.5, 1, 2, 4, 8, 15, 15, 15].map { Duration.seconds($0) })
    schedule.start(at: seconds(2))
    #expect(schedule.due == seconds(15))
  }

  @Test func `a change makes the next attempt due`() {
    var schedule = RestorationSchedule()
    for _ in 1...5 { schedule.fail(at: seconds(0)) }
    schedule.retryNow(at: seconds(1))
    #expect(schedule.isDue(at: seconds(1)))
    schedule.fail(at: seconds(1))
    #expect(schedule.due == seconds(9))
  }

  @Test func `an end forgets the failures`() {
    var schedule = RestorationSchedule()
    schedule.fail(at: seconds(0))
    schedule.end()
    #expect(schedule == RestorationSchedule())
  }
}
