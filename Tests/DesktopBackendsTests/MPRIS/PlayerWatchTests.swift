// SPDX-License-Identifier: MIT

import Autorotation
import Dispatch
import Glibc
import PrivateBus
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

@Suite("players", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
final class PlayerWatchTests {
  private let bus: PrivateBus
  private var reports: [[Player]] = []
  private lazy var watch = PlayerWatch { [unowned self] in reports.append($0) }

  init() throws {
    bus = try PrivateBus()
  }

  private func start() throws {
    watch.use(try bus.connect())
    watch.isNeeded = true
  }

  private var statuses: [Player.Status]? { reports.last?.map(\.status) }

  @Test func `a player is reported with its names and process`() throws {
    let player = try FakePlayer("firefox.instance_1_9", entry: "firefox-esr", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    let found = try #require(reports.last?.first)
    #expect(found.names.starts(with: ["firefox", "firefox-esr"]))
    #expect(found.processes.starts(with: [getpid(), getppid()]) && !found.isSandboxProxy)
    try player.setStatus("Paused")
    #expect(try bus.run { statuses == [.paused] })
    try player.setStatus("Stopped")
    #expect(try bus.run { statuses == [.stopped] })
  }

  @Test func `new and closed players are reported`() throws {
    try start()
    let player = try FakePlayer("chromium.instance7", on: bus)
    #expect(try bus.run { statuses == [.playing] })
    player.bus.close()
    #expect(try bus.run { reports.last == [] })
  }

  @Test func `nothing is reported while it is not needed`() throws {
    let player = try FakePlayer("mpv", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    watch.isNeeded = false
    let before = reports.count
    try player.setStatus("Paused")
    let other = try FakePlayer("vlc", on: bus)
    try bus.deliver()
    #expect(reports.count == before)
    watch.isNeeded = true
    #expect(try bus.run { statuses == [.paused, .playing] })
    withExtendedLifetime(other) {}
  }

  @Test func `the bare prefix is not a player`() throws {
    let first = try FakePlayer("mpv", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    let bare = try bus.connect()
    _ = try bare.requestName("org.mpris.MediaPlayer2")
    let last = try FakePlayer("vlc", on: bus)
    #expect(try bus.run { reports.last?.last?.id == "org.mpris.MediaPlayer2.vlc" })
    // Its replies come after those of the player before it.
    try last.setStatus("Paused")
    #expect(try bus.run { statuses?.last == .paused })
    #expect(reports.last?.count == 2)
    withExtendedLifetime((first, bare, last)) {}
  }

  @Test func `other names do not wake the process`() throws {
    let player = try FakePlayer("mpv", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    try bus.deliver()
    let other = try Bus(.at(address: bus.address))
    _ = try other.requestName("org.example.Other")
    try bus.flush()
    #expect(try !bus.loop.runPending())
    withExtendedLifetime((player, other)) {}
  }

  @Test func `invalid or missing statuses count as stopped`() throws {
    let odd = try FakePlayer("odd", status: .uint32(7), on: bus)
    let rude = try FakePlayer("rude", status: .string("Playing\u{7}"), on: bus)
    let mute = try bus.connect()
    _ = try mute.requestName("org.mpris.MediaPlayer2.mute")
    let good = try FakePlayer("good", on: bus)
    try start()
    #expect(try bus.run { statuses?.count == 4 })
    #expect(reports.last?.filter { $0.status != .stopped }.map(\.id) == ["org.mpris.MediaPlayer2.good"])
    withExtendedLifetime((odd, rude, good)) {}
  }

  @Test func `thousands of names are limited per connection`() throws {
    // A bus limits one connection to some hundreds of names.
    let crowd = try (0..<5).map { _ in try bus.connect() }
    let claim = { (number: Int) in _ = try crowd[number % 5].requestName("\(PlayerWatch.prefix).p\(number)") }
    try (0..<1000).forEach(claim)
    try start()
    #expect(try bus.run { reports.last?.count == 5 * PlayerWatch.maximumPerConnection })
    try (1000..<2000).forEach(claim)
    try bus.deliver()
    #expect(reports.last?.count == 5 * PlayerWatch.maximumPerConnection)
    let good = try FakePlayer("firefox.instance_1", on: bus)
    #expect(try bus.run { statuses?.contains(.playing) == true })
    withExtendedLifetime(good) {}
  }

  @Test func `of many players of one process the last are watched`() throws {
    try start()
    let crowd = try (0..<17).map { _ in try bus.connect() }
    for (number, player) in crowd.enumerated() {
      for name in ["a", "b", "c", "d"] {
        _ = try player.requestName("org.mpris.MediaPlayer2.\(name)\(number)")
      }
    }
    #expect(try bus.run { reports.last?.contains { $0.id == "org.mpris.MediaPlayer2.d16" } == true })
    #expect(reports.allSatisfy { $0.count <= PlayerWatch.maximumPlayers })
  }

  @Test func `a player that sends too many signals is ignored`() throws {
    let player = try FakePlayer("chatter", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    for _ in 0..<500 { try player.setStatus("Playing") }
    #expect(try bus.run { statuses == [.stopped] })
    let before = reports.count
    try player.setStatus("Playing")
    try bus.deliver()
    #expect(reports.count == before)
  }

  @Test func `signals of other connections are ignored`() throws {
    let player = try FakePlayer("mpv", status: .string("Paused"), on: bus)
    try start()
    #expect(try bus.run { statuses == [.paused] })
    let stranger = try Stranger(on: bus)
    let properties = BusTarget(
      service: "", path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties")
    try stranger.signalAll(
      properties, "PropertiesChanged",
      [
        .string("org.mpris.MediaPlayer2.Player"), .dictionary(["PlaybackStatus": .string("Playing")]),
        .array(of: "s", []),
      ])
    try stranger.spoofOwner(":1.99", of: "org.mpris.MediaPlayer2.ghost")
    try stranger.settle()
    // A later player is queried after the ghost.
    let last = try FakePlayer("vlc", on: bus)
    #expect(try bus.run { reports.last?.last?.id == "org.mpris.MediaPlayer2.vlc" })
    #expect(reports.last?.map(\.id) == ["org.mpris.MediaPlayer2.mpv", "org.mpris.MediaPlayer2.vlc"])
    #expect(statuses?.first == .paused)
    withExtendedLifetime((player, last)) {}
  }

  /// Its rule lapsed and returned when another player changed meanwhile.
  @Test func `a player whose status is asked for again stays`() throws {
    let (slow, mayAnswer) = (try Stranger(on: bus), DispatchSemaphore(value: 0))
    mayAnswer.signal()
    try slow.serve(["org.mpris.MediaPlayer2.slow"]) { call in
      guard call.name == "Get PlaybackStatus" else { return nil }
      mayAnswer.wait()
      return [.variant(.string("Playing"))]
    }
    let other = try FakePlayer("mpv", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing, .playing] })
    let before = reports.count
    let properties = BusTarget(
      service: "", path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties")
    try slow.signalAll(
      properties, "PropertiesChanged",
      [
        .string("org.mpris.MediaPlayer2.Player"), .dictionary([:]),
        .array(of: "s", [.string("PlaybackStatus")]),
      ])
    try bus.deliver()
    try other.setStatus("Paused")
    #expect(try bus.run { statuses == [.paused, .playing] })
    #expect(reports.dropFirst(before).allSatisfy { $0.count == 2 })
    mayAnswer.signal()
    withExtendedLifetime((slow, other)) {}
  }

  @Test func `the status is asked for after a signal that is too long`() throws {
    let (player, isPaused) = (try Stranger(on: bus), DispatchSemaphore(value: 0))
    isPaused.signal()
    try player.serve(["org.mpris.MediaPlayer2.long"]) { call in
      guard call.name == "Get PlaybackStatus" else { return nil }
      return [.variant(.string(isPaused.wait(timeout: .now()) == .success ? "Paused" : "Playing"))]
    }
    try start()
    #expect(try bus.run { statuses == [.paused] })
    let properties = BusTarget(
      service: "", path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties")
    try player.signalAll(
      properties, "PropertiesChanged",
      [
        .string("org.mpris.MediaPlayer2.Player"),
        .dictionary(["Metadata": .string(String(repeating: "x", count: 70_000))]), .array(of: "s", []),
      ])
    #expect(try bus.run { statuses == [.playing] })
  }

  @Test func `the end of the bus removes all players`() throws {
    let player = try FakePlayer("mpv", on: bus)
    try start()
    #expect(try bus.run { statuses == [.playing] })
    watch.use(nil)
    #expect(reports.last == [])
    withExtendedLifetime(player) {}
  }

  @Test(arguments: [
    ("org.mpris.MediaPlayer2.chromium.instance9116", "", ["chromium"]),
    ("org.mpris.MediaPlayer2.firefox.instance_1_30", "firefox-esr", ["firefox", "firefox-esr"]),
    ("org.mpris.MediaPlayer2.org.gnome.Epiphany.Sandboxed.instance-1", "", ["org.gnome.Epiphany"]),
    ("org.mpris.MediaPlayer2.mpv", "mpv.desktop", ["mpv"]),
    ("org.mpris.MediaPlayer2.instance1", "", []),
  ])
  func `names do not contain the instance`(bus: String, entry: String, names: [String]) {
    #expect(ProcessLineage().names(ofPlayer: bus, entry: entry) == names)
  }

  @Test func `only an installed sandbox proxy counts as a stand-in`() {
    let proxy = ProcessLineage(program: "xdg-dbus-proxy", isInstalled: true)
    #expect(proxy.isSandboxProxy)
    #expect(!ProcessLineage(program: "xdg-dbus-proxy", isInstalled: false).isSandboxProxy)
    #expect(!ProcessLineage(program: "vlc", isInstalled: true).isSandboxProxy)
    let vlc = "org.mpris.MediaPlayer2.vlc"
    #expect(proxy.names(ofPlayer: vlc, entry: "") == ["vlc"])
    let fork = proxy.names(ofPlayer: "org.mpris.MediaPlayer2.firefox.instance_1_30", entry: "zen")
    #expect(fork == ["firefox", "zen"], "Firefox's forks differ only by their entry")
    #expect(ProcessLineage(program: "vlc-3").names(ofPlayer: vlc, entry: "") == ["vlc", "vlc-3"])
  }

  @Test func `a lineage ends before process 1`() {
    #expect(ProcessLineage(of: 1).ids == [])
    #expect(ProcessLineage(of: 2).ids == [2])
  }

  @Test func `a long lineage is cut off`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("[ $1 = 0 ] && echo $$ && exec sleep 1000\nsh \"$0\" $(($1 - 1))\n:\n", to: "nest")
    let shells = try #require(popen("sh '\(directory["nest"])' 10", "re"))
    var line = [CChar](repeating: 0, count: 32)
    fgets(&line, Int32(line.count), shells)
    let process = line.withUnsafeBufferPointer { $0.baseAddress.map { atoi($0) } ?? 0 }
    try #require(process > 1)
    #expect(ProcessLineage(of: process).ids.count == 8)
    kill(process, SIGKILL)
    pclose(shells)
  }

  @Test func `an ended process has no parents`() {
    #expect(ProcessLineage(of: Int32.max) == ProcessLineage(of: Int32.max))
    #expect(ProcessLineage(of: Int32.max).ids == [Int32.max] && ProcessLineage(of: -1).ids.isEmpty)
    #expect(ProcessLineage(of: getpid()).ids.prefix(2) == [getpid(), getppid()])
  }

  @Test func `names of other programs wake nothing`() throws {
    try start()
    try bus.deliver()
    let other = try Bus(.at(address: bus.address))
    try bus.flush()
    #expect(try !bus.loop.runPending())
    other.close()
  }
}
