// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import PrivateBus
import System
import Temporary
import Testing

@testable import DesktopBackends

/// Who has focus, by KWin's scripting on a bus of the test's own.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct KWinFocusTests {
  static let window = [KWinWordsTests.uuid, "application", "mpv", "", "mpv", "true", "eDP-1", ""]

  @MainActor final class Listener {
    let bus: PrivateBus
    let own: Bus
    var told: [KWinFocusReport?] = []
    var notes: [String] = []
    let directory: TemporaryDirectory
    var focus: KWinFocus?

    init() throws {
      bus = try PrivateBus()
      own = try bus.connect()
      directory = try TemporaryDirectory()
      focus = KWinFocus(
        own, loop: bus.loop, directory: directory.path, firstPause: 1_000_000,
        report: { [unowned self] in told.append($0) },
        note: { [unowned self] in notes.append($0.description) })
      try focus?.start()
    }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] }
  }

  @Test func loadsTheScriptAndTakesWhatItTells() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    #expect(kwin.unloaded == ["autorotate"])
    #expect(kwin.target.first == (try listener.own.uniqueName()))
    try kwin.tell(Self.window)
    #expect(try listener.bus.run { listener.told.last??.identifiers == ["mpv"] })
    #expect(listener.files.isEmpty, "the file is of no use once it is read")
    try kwin.tell(["", "", "", "", "", "", "", ""])
    #expect(try listener.bus.run { listener.told.last == .some(nil) })
  }

  @Test func loadsItAgainIntoAKWinThatWasStartedAgain() throws {
    let listener = try Listener()
    let first = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { first.starts == 1 })
    try first.tell(Self.window)
    #expect(try listener.bus.run { listener.told.last??.id != nil })
    first.bus.close()
    #expect(try listener.bus.run { listener.told.last == .some(nil) })
    let second = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { second.starts == 1 })
    try second.tell(Self.window)
    #expect(try listener.bus.run { listener.told.last??.id != nil })
  }

  @Test func nobodyElseIsListenedTo() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    let before = listener.told.count
    let stranger = try listener.bus.connect()
    var isHandled = false
    try kwin.tell(Self.window, from: stranger) { isHandled = true }
    #expect(try listener.bus.run { isHandled })
    try kwin.tell(["", "", "", "", "", "", "", ""])
    #expect(try listener.bus.run { listener.told.count > before })
    #expect(listener.told[before...] == [nil])
  }

  @Test func `a word of megabytes is refused`() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    let before = listener.told.count
    for length in [8_001, 4_000_000] {
      var window = Self.window
      window[2] = String(repeating: "x", count: length)
      try kwin.tell(window)
    }
    try kwin.tell(Self.window)
    #expect(try listener.bus.run { listener.told.count > before })
    #expect(listener.told[before...].map { $0?.identifiers } == [["mpv"]])
  }

  @Test(arguments: [FakeKWinScripting.Mood.refusing])
  func aRefusalIsSaidOnce(_ mood: FakeKWinScripting.Mood) throws {
    let listener = try Listener()
    // Before, there is no KWin.
    #expect(try listener.bus.run { listener.notes.count == 1 })
    let kwin = try FakeKWinScripting(on: listener.bus, named: false)
    kwin.mood = mood
    try kwin.appear()
    #expect(try listener.bus.run { kwin.unloaded.count > 2 })
    #expect(listener.notes.count == 1)
    #expect(kwin.starts == 0)
  }

  @Test func aKWinThatWasTooBusyAtFirstIsAskedAgain() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus, named: false)
    kwin.mood = .refusing
    try kwin.appear()
    #expect(try listener.bus.run { kwin.unloaded.count > 1 })
    kwin.mood = .willing
    try #require(try listener.bus.run { kwin.starts == 1 })
    try kwin.tell(Self.window)
    #expect(try listener.bus.run { listener.told.last??.identifiers == ["mpv"] })
  }

  @Test func stoppingTakesTheScriptOut() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus)
    #expect(try listener.bus.run { kwin.starts == 1 })
    // The fake shares the loop, so it answers only after the wait.
    listener.focus?.stop(on: listener.own)
    #expect(try listener.bus.run { kwin.loaded.isEmpty })
    #expect(listener.files.isEmpty)
  }

  @Test func aKWinThatHangsHoldsNobodyUpForEver() throws {
    let listener = try Listener()
    let kwin = try FakeKWinScripting(on: listener.bus, named: false)
    kwin.mood = .silent
    try kwin.appear()
    #expect(try listener.bus.run { kwin.unloaded.count == 1 })
    try listener.bus.deliver()
    listener.focus?.stop(on: listener.own)
    #expect(listener.files.isEmpty)
  }

  @Test func aDirectoryThatCannotBeWrittenIsSaid() throws {
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
