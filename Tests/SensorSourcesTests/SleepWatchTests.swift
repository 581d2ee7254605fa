// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing
import Waiting

@testable import SensorSources

@MainActor
@Suite(.serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct SleepWatchTests {
  @MainActor private final class Log { var events: [Event] = [] }

  private let bus: PrivateBus
  private let watch: SleepWatch
  private let log = Log()

  init() throws {
    bus = try PrivateBus()
    watch = SleepWatch(loop: bus.loop, bus: .at(address: bus.address)) { [log] in log.events.append($0) }
  }

  private func logind() throws -> (bus: Bus, manager: ExportedInterface) {
    let connection = try bus.connect()
    let manager = BusInterface(
      name: "org.freedesktop.login1.Manager", signals: [("PrepareForSleep", [])])
    let exported = try connection.export(manager, at: "/org/freedesktop/login1")
    _ = try connection.requestName("org.freedesktop.login1")
    return (connection, exported)
  }

  private func expectEvents(_ events: [Event]) throws {
    #expect(try bus.run { log.events == events })
  }

  /// Sends the signal after the watch has connected.
  private func fallAsleep(_ manager: ExportedInterface) throws {
    try bus.deliver()
    try manager.emit("PrepareForSleep", [.bool(true)])
    try expectEvents([.suspended])
  }

  @Test func `each suspend and resume is reported once`() throws {
    let (_, manager) = try logind()
    try fallAsleep(manager)
    for sleeps in [true, false, false, true] { try manager.emit("PrepareForSleep", [.bool(sleeps)]) }
    try expectEvents([.suspended, .resumed, .suspended])
  }

  @Test func `invalid signals are ignored`() throws {
    let (_, manager) = try logind()
    try fallAsleep(manager)
    // Neither while asleep nor while awake is it taken for a change.
    for isAsleep in [true, false] {
      for value in [Value.string("false"), .int32(0), .strings([])] {
        try manager.emit("PrepareForSleep", [value])
      }
      try manager.emit("PrepareForSleep")
      for sleeps in [isAsleep, !isAsleep] { try manager.emit("PrepareForSleep", [.bool(sleeps)]) }
    }
    #expect(try bus.run { log.events.count >= 3 })
    try Stranger(on: bus).settle()
    #expect(log.events == [.suspended, .resumed, .suspended])
  }

  @Test func `the end of logind counts as resume`() throws {
    let (connection, manager) = try logind()
    try fallAsleep(manager)
    connection.close()
    try expectEvents([.suspended, .resumed])
  }

  @Test func `the end of the bus counts as resume`() throws {
    let (_, manager) = try logind()
    try fallAsleep(manager)
    bus.kill()
    try expectEvents([.suspended, .resumed])
  }

  @Test func `without a bus nothing happens`() throws {
    let alone = SleepWatch(loop: bus.loop, bus: .at(address: "unix:path=/nonexistent")) { [log] in
      log.events.append($0)
    }
    try bus.runPending()
    withExtendedLifetime(alone) { #expect(log.events.isEmpty) }
  }

  /// Otherwise any user of the machine could stop rotation for all.
  @Test func `suspend signals of a stranger are ignored`() throws {
    let (_, manager) = try logind()
    try fallAsleep(manager)
    let stranger = try Stranger(on: bus)
    let target = BusTarget(
      service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
      interface: "org.freedesktop.login1.Manager")
    try stranger.signalAll(target, "PrepareForSleep", [.bool(false)])
    try stranger.signalAll(target, "PrepareForSleep", [.bool(true)])
    try stranger.spoofOwner("", of: target.service)
    try stranger.settle()
    #expect(log.events == [.suspended])
    try manager.emit("PrepareForSleep", [.bool(false)])
    try expectEvents([.suspended, .resumed])
  }

  @Test func `an inactive session counts as active once the bus has ended`() throws {
    let connection = try bus.connect()
    let path = "/org/freedesktop/login1/session/_31"
    let manager = BusInterface(
      name: "org.freedesktop.login1.Manager",
      methods: [
        BusMethod("GetSession", takes: [BusArgument("id", "s")], returns: [BusArgument("path", "o")]) { _ in
          [.objectPath(path)]
        }
      ])
    let session = BusInterface(
      name: "org.freedesktop.login1.Session",
      properties: [("Type", "s", { .string("x11") }), ("Active", "b", { .bool(false) })])
    let exported = [
      try connection.export(manager, at: "/org/freedesktop/login1"), try connection.export(session, at: path),
    ]
    #expect(watch.isSessionVisible)
    _ = try connection.requestName("org.freedesktop.login1")
    try expectEvents([.sessionChanged(isActive: false)])
    #expect(!watch.isSessionVisible)
    bus.kill()
    try expectEvents([.sessionChanged(isActive: false), .sessionChanged(isActive: true)])
    #expect(watch.isSessionVisible)
    withExtendedLifetime(exported) {}
  }

  @Test func `a lost bus is tried again after ten seconds`() throws {
    let (_, manager) = try logind()
    try fallAsleep(manager)
    #expect(!watch.isSessionVisible)
    bus.kill()
    try expectEvents([.suspended, .resumed])
    #expect(watch.isSessionVisible)
    try bus.runPending()
    let left = try #require(bus.loop.nextTimer)
    #expect((1...11_000_000_000).contains(left))
  }
}
