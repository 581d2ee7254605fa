// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import PrivateBus
import System
import Temporary
import Testing

@testable import DesktopBackends

/// The focus, with KWin's scripting interface on a private bus.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct KWinFocusTests {
  static let window = [KWinValuesTests.uuid, "application", "mpv", "", "mpv", "true", "eDP-1", "", ""]

  @MainActor final class Listener {
    let bus: PrivateBus
    let own: Bus
    var reports: [KWinFocusReport?] = []
    var notes: [String] = []
    let directory: TemporaryDirectory
    var focus: KWinFocus?

    init() throws {
      bus = try PrivateBus()
      own = try bus.connect()
      directory = try TemporaryDirectory()
      focus = KWinFocus(
        own, loop: bus.loop, directory: directory.path, firstDelay: 1_000_000,
        report: { [unowned self] in reports.append($0) },
        note: { [unowned self] in notes.append($0.description) })
      try focus?.start()
    }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] }
  }

  @Test func `the script is loaded and its reports are received`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    #expect(kwin.unloaded == ["autorotate"])
    #expect(kwin.target.first == (try listener.own.uniqueName()))
    try kwin.call(Self.window)
    #expect(try listener.bus.run { listener.reports.last??.window.identifiers == ["mpv"] })
    #expect(listener.files.isEmpty, "the file is removed once KWin has read it")
    try kwin.call(["", "", "", "", "", "", "", "", ""])
    #expect(try listener.bus.run { listener.reports.last == .some(nil) })
  }

  @Test func `the script is loaded again into a restarted KWin`() throws {
    let listener = try Listener()
    let first = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { first.starts == 1 })
    try first.call(Self.window)
    #expect(try listener.bus.run { listener.reports.last??.window.id != nil })
    first.bus.close()
    #expect(try listener.bus.run { listener.reports.last == .some(nil) })
    let second = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { second.starts == 1 })
    try second.call(Self.window)
    #expect(try listener.bus.run { listener.reports.last??.window.id != nil })
  }

  @Test func `the script reports titles only while they are watched`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    var script: String { kwin.loaded[KWinScript.name] ?? "" }
    #expect(script.contains("maximumTitleLength = 0;"))
    listener.focus?.watchesTitles = true
    #expect(try listener.bus.run { kwin.starts == 2 })
    #expect(script.contains("maximumTitleLength = 256;"))
    try kwin.call(Self.window.dropLast() + ["film.mkv"])
    #expect(try listener.bus.run { listener.reports.last??.window.title == "film.mkv" })
  }

  @Test func `calls of other senders are ignored`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    let before = listener.reports.endIndex
    let stranger = try listener.bus.connect()
    var isHandled = false
    try kwin.call(Self.window, from: stranger) { isHandled = true }
    #expect(try listener.bus.run { isHandled })
    try kwin.call(["", "", "", "", "", "", "", "", ""])
    #expect(try listener.bus.run { listener.reports.count > before })
    #expect(listener.reports[before...] == [nil])
  }

  @Test func `an argument of megabytes is refused`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    let before = listener.reports.endIndex
    for length in [8_001, 4_000_000] {
      var window = Self.window
      window[2] = String(repeating: "x", count: length)
      try kwin.call(window)
    }
    var window = Self.window
    window[2] = String(repeating: "x", count: 8_000)
    try kwin.call(window)
    #expect(try listener.bus.run { listener.reports.count > before })
    #expect(listener.reports[before...].map { $0?.window.identifiers.count } == [2])
  }

  @Test(arguments: [FakeKWinScripting.Behavior.refusing])
  func `a refusal is noted once`(_ behavior: FakeKWinScripting.Behavior) throws {
    let listener = try Listener()
    // The note that KWin is not there yet.
    #expect(try listener.bus.run { listener.notes.count == 1 })
    let kwin = try FakeKWinScripting(on: listener.bus, named: false)
    kwin.behavior = behavior
    try kwin.appear()
    #expect(try listener.bus.run { kwin.unloaded.count > 2 })
    #expect(listener.notes.count == 1)
    #expect(kwin.starts == 0)
  }

  @Test func `a KWin that was busy at first is retried`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus, named: false)
    kwin.behavior = .refusing
    try kwin.appear()
    #expect(try listener.bus.run { kwin.unloaded.count > 1 })
    kwin.behavior = .willing
    try #require(try listener.bus.run { kwin.starts == 1 })
    try kwin.call(Self.window)
    #expect(try listener.bus.run { listener.reports.last??.window.identifiers == ["mpv"] })
  }

  @Test func `stopping unloads the script`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    // The fake shares the loop, so it answers only after the wait.
    listener.focus?.stop(on: listener.own)
    #expect(try listener.bus.run { kwin.loaded.isEmpty })
    #expect(listener.files.isEmpty)
  }

  @Test func `a KWin that hangs does not block stopping`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus, named: false)
    kwin.behavior = .silent
    try kwin.appear()
    #expect(try listener.bus.run { kwin.unloaded.count == 1 })
    try listener.bus.deliver()
    listener.focus?.stop(on: listener.own)
    #expect(listener.files.isEmpty)
  }

  @Test func `an unwritable directory is reported`() throws {
    let listener = try Listener()
    let focus = KWinFocus(
      listener.own, loop: listener.bus.loop, directory: "/nonexistent", report: { _ in },
      note: { listener.notes.append($0.description) })
    listener.focus = nil
    try focus.start()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { listener.notes.contains { $0.contains("/nonexistent") } })
    #expect(kwin.starts == 0)
    focus.stop(on: nil)
  }
}
