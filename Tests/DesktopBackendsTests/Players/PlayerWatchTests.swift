// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import PrivateBus
import System
import Testing

@testable import DesktopBackends

@Suite("players", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
final class PlayerWatchTests {
  private let bus: PrivateBus
  private var told: [[Player]] = []
  private lazy var watch = PlayerWatch { [unowned self] in told.append($0) }

  init() throws {
    bus = try PrivateBus()
  }

  private func start() throws {
    watch.use(try bus.connect())
    watch.isNeeded = true
  }

  private var statuses: [Player.Status]? { told.last?.map(\.status) }

  @Test func whoPlaysIsToldWithItsNamesAndItsProcess() throws {
    let player = try FakePlayer("firefox.instance_1_9", entry: "firefox-esr", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    let seen = try #require(told.last?.first)
    #expect(seen.names.starts(with: ["firefox", "firefox-esr"]))
    #expect(seen.processes.starts(with: [getpid(), getppid()]) && !seen.isStandIn)
    try player.tell("Paused")
    #expect(try bus.run { statuses == [.paused] })
    try player.tell("Stopped")
    #expect(try bus.run { statuses == [.stopped] })
  }

  @Test func whoComesAndGoesIsTold() throws {
    try start()
    let player = try FakePlayer("chromium.instance7", on: bus)
    #expect(try bus.run { statuses == [.playing] })
    player.bus.close()
    #expect(try bus.run { told.last == [] })
  }

  @Test func nothingIsHeardWhileItIsNotNeeded() throws {
    let player = try FakePlayer("mpv", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    watch.isNeeded = false
    let before = told.count
    try player.tell("Paused")
    let other = try FakePlayer("vlc", on: bus)
    try bus.deliver()
    #expect(told.count == before)
    watch.isNeeded = true
    #expect(try bus.run { statuses == [.paused, .playing] })
    withExtendedLifetime(other) {}
  }

  @Test func whoAnswersNonsenseOrNothingDoesNotPlay() throws {
    let odd = try FakePlayer("odd", status: .uint32(7), on: bus)
    let rude = try FakePlayer("rude", status: .string("Playing\u{7}"), on: bus)
    let mute = try bus.connect()
    _ = try mute.requestName("org.mpris.MediaPlayer2.mute")
    let good = try FakePlayer("good", on: bus)
    try start()
    #expect(try bus.run { statuses?.count == 4 })
    #expect(told.last?.filter { $0.status != .stopped }.map(\.id) == ["org.mpris.MediaPlayer2.good"])
    withExtendedLifetime((odd, rude, good)) {}
  }

  @Test func ofThousandsOfNamesSomeAreLookedAt() throws {
    // A bus lets one connection have some hundreds.
    let crowd = try (0..<5).map { _ in try bus.connect() }
    let take = { (number: Int) in _ = try crowd[number % 5].requestName("org.mpris.MediaPlayer2.p\(number)") }
    try (0..<1000).forEach(take)
    try start()
    #expect(try bus.run { told.last?.count == 5 * PlayerWatch.mostOfOne })
    try (1000..<2000).forEach(take)
    try bus.deliver()
    #expect(told.last?.count == 5 * PlayerWatch.mostOfOne)
    let good = try FakePlayer("firefox.instance_1", on: bus)
    #expect(try bus.run { statuses?.contains(.playing) == true })
    withExtendedLifetime(good) {}
  }

  @Test func whoNeverStopsTalkingIsNotListenedTo() throws {
    let player = try FakePlayer("chatter", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    for _ in 0..<500 { try player.tell("Playing") }
    #expect(try bus.run { statuses == [.stopped] })
    let before = told.count
    try player.tell("Playing")
    try bus.deliver()
    #expect(told.count == before)
  }

  @Test func aStrangerIsNotBelieved() throws {
    let player = try FakePlayer("mpv", status: .string("Paused"), on: bus)
    try start()
    #expect(try bus.run { statuses == [.paused] })
    let stranger = try Stranger(on: bus)
    let properties = BusTarget(
      service: "", path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties")
    try stranger.signalEverybody(
      properties, "PropertiesChanged",
      [
        .string("org.mpris.MediaPlayer2.Player"), .dictionary(["PlaybackStatus": .string("Playing")]),
        .array(of: "s", []),
      ])
    try stranger.pretendOwner(":1.99", of: "org.mpris.MediaPlayer2.ghost")
    try stranger.settle()
    #expect(told.last?.map(\.id) == ["org.mpris.MediaPlayer2.mpv"] && statuses == [.paused])
    withExtendedLifetime(player) {}
  }

  @Test func aBusThatEndsTakesAllAlong() throws {
    let player = try FakePlayer("mpv", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    watch.use(nil)
    #expect(told.last == [])
    withExtendedLifetime(player) {}
  }

  @Test(arguments: [
    ("org.mpris.MediaPlayer2.chromium.instance9116", "", ["chromium"]),
    ("org.mpris.MediaPlayer2.firefox.instance_1_30", "firefox-esr", ["firefox", "firefox-esr"]),
    ("org.mpris.MediaPlayer2.org.gnome.Epiphany.Sandboxed.instance-1", "", ["org.gnome.Epiphany"]),
    ("org.mpris.MediaPlayer2.mpv", "mpv.desktop", ["mpv"]),
    ("org.mpris.MediaPlayer2.instance1", "", []),
  ])
  func namesAreWithoutWhatTellsInstancesApart(bus: String, entry: String, names: [String]) {
    #expect(PlayerNames(bus: bus, entry: entry, process: ProcessLineage()).all == names)
  }

  @Test func aProcessThatHasGoneHasNoParents() {
    #expect(ProcessLineage(of: Int32.max) == ProcessLineage(of: Int32.max))
    #expect(ProcessLineage(of: Int32.max).ids == [Int32.max] && ProcessLineage(of: -1).ids.isEmpty)
    #expect(ProcessLineage(of: getpid()).ids.prefix(2) == [getpid(), getppid()])
  }
}
