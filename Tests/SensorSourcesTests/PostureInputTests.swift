// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import SensorSources

extension PostureTests {
  /// Switches, keys and a keyboard, which udev reports.
  @MainActor @Suite struct Inputs {
    private let loop: EventLoop
    private let source: PostureSource
    private let log = Log()

    @MainActor private final class Log {
      var evidence: [PostureEvidence] = []
      var notices: [Message] = []
    }

    init() throws {
      loop = try EventLoop()
      source = PostureSource(loop: loop) { [log] in log.notices.append($0) }
      for name in ["tablet", "lid", "dock"] { try Self.turn(name, "off") }
    }

    private static func turn(_ name: String, _ action: String) throws {
      try MockAccelerometer.change("switch", name, action)
    }

    private func start() {
      source.start { [log] in log.evidence.append($0) }
      #expect(log.evidence.count == 1, "the state is reported at once")
    }

    private func posture(_ kind: PostureInput.Kind, of driver: String = "bench-tablet") -> Posture? {
      log.evidence.last?.postures.first { $0.key.kind == kind && $0.key.driver == driver }?.value
    }

    private func wait(_ what: String, _ condition: () -> Bool) throws {
      try loop.wait(for: what, until: condition)
    }

    @Test func `each switch is reported when it changes`() throws {
      start()
      #expect(posture(.tabletSwitch) == .laptop && posture(.dock, of: "bench-dock") == .unknown)
      #expect(log.evidence[0].isLidClosed == false)
      try Self.turn("tablet", "on")
      try wait("tablet") { posture(.tabletSwitch) == .tablet }
      try Self.turn("dock", "on")
      try wait("docked") { posture(.dock, of: "bench-dock") == .docked }
      try Self.turn("lid", "on")
      try wait("a closed lid") { log.evidence.last?.isLidClosed == true }
      #expect(posture(.tabletSwitch) == .tablet && log.evidence.count == 4)
      source.stop()
      try Self.turn("tablet", "off")
      try loop.settle()
      source.keyboard = "none of them"
      #expect(log.evidence.count == 4)
    }

    @Test func `a removed switch reports nothing until it is back`() throws {
      start()
      try Self.turn("tablet", "remove")
      try wait("its absence") { posture(.tabletSwitch) == nil }
      try Self.turn("tablet", "add")
      try wait("its return") { posture(.tabletSwitch) == .laptop }
      try Self.turn("tablet", "on")
      try wait("tablet") { posture(.tabletSwitch) == .tablet }
      source.stop()
    }

    @Test func `keys are read of the named device only`() throws {
      start()
      #expect(posture(.keys, of: "bench-keys") == nil)
      source.choice = .named("Bench keys*")
      try wait("the keys") { posture(.keys, of: "bench-keys") == .unknown }
      #expect(posture(.tabletSwitch) == .laptop, "the policy chooses among them")
      try Self.turn("keys", "on")
      try wait("tablet") { posture(.keys, of: "bench-keys") == .tablet }
      try Self.turn("keys", "off")
      try wait("laptop") { posture(.keys, of: "bench-keys") == .laptop }
      source.choice = .automatic
      #expect(posture(.keys, of: "bench-keys") == nil)
      source.choice = .named("Bench dock*")
      #expect(posture(.keys, of: "bench-dock") == nil, "it has no such keys")
      source.stop()
    }

    @Test func `a detached keyboard means tablet`() throws {
      source.keyboard = "Bench cover*"
      #expect(log.evidence.isEmpty, "it has not started")
      start()
      #expect(posture(.keyboard, of: "") == .laptop)
      try Self.turn("cover", "remove")
      try wait("tablet") { posture(.keyboard, of: "") == .tablet }
      try Self.turn("cover", "add")
      try wait("laptop") { posture(.keyboard, of: "") == .laptop }
      source.keyboard = "none of them"
      #expect(posture(.keyboard, of: "") == .tablet)
      source.keyboard = nil
      #expect(log.evidence.last?.postures.keys.contains { $0.kind == .keyboard } == false)
      source.stop()
    }

    @Test func `an unreadable switch is reported once it is needed`() throws {
      try Self.turn("twin", "refuse")
      defer {
        try? Self.turn("twin", "remove")
        try? Self.turn("twin", "add")
      }
      start()
      #expect(log.notices.isEmpty)
      source.isNeeded = true
      #expect(log.notices.count == 1 && log.notices[0].description.contains("61-autorotate.rules"))
      source.isNeeded = false
      source.isNeeded = true
      source.choice = .none
      #expect(log.notices.count == 1)
      let inspected = PostureInspection.inspect(.automatic, keyboard: nil)
      #expect(inspected.count { !$0.isReadable } == 1)
      source.stop()
    }

    @Test func `a switch that became readable is not reported`() throws {
      try Self.turn("twin", "refuse")
      start()
      try Self.turn("twin", "remove")
      try Self.turn("twin", "add")
      try wait("its state") { posture(.tabletSwitch, of: "bench-twin") == .laptop }
      source.isNeeded = true
      #expect(log.notices.isEmpty)
      source.stop()
    }

    @Test func `a dock that became readable with the session is read`() throws {
      try Self.turn("dock", "refuse")
      start()
      #expect(posture(.dock, of: "bench-dock") == nil)
      try Self.turn("dock", "permit")
      source.recheck()
      #expect(posture(.dock, of: "bench-dock") != nil)
      source.stop()
    }

    @Test func `an unreadable dock is not reported`() throws {
      try Self.turn("dock", "refuse")
      defer {
        try? Self.turn("dock", "remove")
        try? Self.turn("dock", "add")
      }
      source.isNeeded = true
      start()
      #expect(log.notices.isEmpty && posture(.dock, of: "bench-dock") == nil)
      source.stop()
    }

    @Test func `unreadable keys get their own advice`() throws {
      try Self.turn("keys", "refuse")
      defer {
        try? Self.turn("keys", "remove")
        try? Self.turn("keys", "add")
      }
      source.isNeeded = true
      source.choice = .named("Bench keys switch")
      start()
      #expect(log.notices.count == 1 && log.notices[0].description.contains("autorotate(5), under switch"))
      source.stop()
    }

    @Test func `doctor shows what each device reports`() throws {
      try Self.turn("tablet", "on")
      try Self.turn("dock", "on")
      let descriptors = SystemFile.names(in: "/proc/self/fd").count
      let all = PostureInspection.inspect(.named("Bench keys switch"), keyboard: "Bench cover switch")
      #expect(SystemFile.names(in: "/proc/self/fd").count == descriptors)
      let words = all.map { ($0.input.kind, $0.input.driver, $0.says) }
      let expected: [(PostureInput.Kind, String, Posture)] = [
        (.tabletSwitch, "bench-tablet", .tablet), (.tabletSwitch, "bench-twin", .laptop),
        (.dock, "bench-dock", .docked), (.keys, "bench-keys", .unknown), (.keyboard, "", .laptop),
      ]
      for word in expected { #expect(words.contains { $0 == word }, "\(word)") }
      #expect(words.count == expected.count && all.allSatisfy { $0.isReadable && !$0.isUnreliable })
      let without = PostureInspection.inspect(.automatic, keyboard: "none of them")
      #expect(without.last?.says == .tablet && without.count == 4)
    }

    @Test func `the lock key is received in an active session`() throws {
      var presses = 0
      var key: RotationLockKey? = RotationLockKey(loop: loop) { presses += 1 }
      key?.start()
      for press in 1...2 {
        try Self.turn("lock-key", "on")
        try Self.turn("lock-key", "off")
        try wait("press \(press)") { presses == press }
      }
      key?.isInFront = false
      try Self.turn("lock-key", "on")
      try loop.settle()
      #expect(presses == 2)
      key?.isInFront = true
      try Self.turn("lock-key", "remove")
      try Self.turn("lock-key", "add")
      try wait("the device again") {
        try? Self.turn("lock-key", "on")
        return presses > 2
      }
      key = nil
      let count = presses
      try Self.turn("lock-key", "on")
      try Self.turn("lock-key", "remove")
      try Self.turn("lock-key", "add")
      try loop.settle()
      try Self.turn("lock-key", "on")
      try loop.settle()
      #expect(presses == count)
    }
  }

  @Test func `sources stop listening to udev`() throws {
    let fixture = try SourceFixture()
    var changes = 0
    let monitor = try UdevMonitor(subsystem: "iio", loop: fixture.loop) { changes += 1 }
    let accelerometer = ControlledSource()
    let source = AutoSource(
      loop: fixture.loop, accelerometer: accelerometer, proxy: ControlledSource(), notice: fixture.note)
    try source.start(fixture.record)
    accelerometer.reportLost(.unreadable("accel", code: EBUSY))
    source.stop()
    try MockAccelerometer.change("hinge", "remove")
    try MockAccelerometer.change("hinge", "add")
    try fixture.await("both events") { changes >= 2 }
    try fixture.loop.settle()
    #expect(accelerometer.starts == 1)
    withExtendedLifetime(monitor) {}
  }
}
