// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  @Suite("focus")
  @MainActor
  struct Focus {
    private let running: RunningBackend
    private let windows: TestWindows

    init() throws {
      try Bench.reset()
      running = try RunningBackend()
      windows = try TestWindows()
    }

    /// Waits until the active window fulfils the condition.
    private func expect(
      _ what: String, file: StaticString = #fileID, line: UInt = #line, _ condition: (Window?) -> Bool
    ) throws {
      try running.wait(what, file: file, line: line) { condition(running.focused) }
    }

    @Test func `the active window is reported with all its names`() throws {
      windows.run("open a Mpv id=io.mpv.Mpv")
      try expect("the window") { $0?.identifiers == ["Mpv", "Mpv-window", "io.mpv.Mpv"] }
      #expect(running.focused?.role == .application)
      #expect(running.focused?.isFullscreen == false)
      #expect(running.focused?.output == "eDP-1")
      windows.run("open b XTerm")
      try expect("the other") { $0?.identifiers.first == "XTerm" }
      windows.run("activate a")
      try expect("the first again") { $0?.identifiers.first == "Mpv" }
      windows.run("close a", "close b")
      try expect("nothing") { $0 == nil }
    }

    @Test func `one reading of a new window is enough`() throws {
      windows.run("open a Mpv")
      try expect("the window") { $0?.identifiers.first == "Mpv" }
      let connection = try X11Connection.connect(timeout: EventLoop.limit)
      let tracker = try FocusTracker(connection, loop: running.loop) { _ in }
      #expect(try tracker.refresh()?.identifiers.first == "Mpv")
      #expect(!tracker.isStale)
    }

    @Test func `the begin and end of fullscreen are reported`() throws {
      windows.run("open a Mpv", "fullscreen a yes")
      try expect("fullscreen") { $0?.isFullscreen == true }
      windows.run("fullscreen a no")
      try expect("no longer") { $0?.isFullscreen == false }
    }

    @Test func `a dialog is reported as its owner`() throws {
      windows.run("open a Mpv fullscreen=yes")
      try expect("the owner") { $0?.isFullscreen == true }
      let owner = running.focused
      let before = running.focusReports.count
      windows.run("open d Zenity type=DIALOG for=a", "open e Zenity type=DIALOG for=d", "activate d")
      windows.run("activate e", "open end End")
      try expect("the end") { $0?.identifiers.first == "End" }
      #expect(running.focusReports.dropFirst(before).dropLast().allSatisfy { $0 == nil || $0 == owner })
    }

    @Test func `changes of a dialog's owner are reported`() throws {
      windows.run("open a Mpv", "open d Zenity type=DIALOG for=a", "activate d")
      try running.wait("the dialog") { running.backend.session?.focus.watched.count == 2 }
      #expect(running.focused?.identifiers.first == "Mpv")
      windows.run("fullscreen a yes")
      try expect("fullscreen of the owner") { $0?.isFullscreen == true }
      // The window manager has brought the owner to the front.
      windows.run("activate d", "class a Other")
      try expect("another name of the owner") { $0?.identifiers.first == "Other" }
      try running.wait("the dialog again") { running.backend.session?.focus.watched.count == 2 }
      windows.run("for d none")
      try expect("no owner") { $0?.identifiers.first == "Zenity" }
    }

    @Test func `circular owners are handled`() throws {
      windows.run("open a One", "open b Two", "activate b")
      try expect("the second") { $0?.identifiers.first == "Two" }
      windows.run("for b a", "for a b", "pretend a")
      try expect("the other end") { $0?.identifiers.first == "Two" }
      windows.run("for a itself")
      try expect("itself") { $0?.identifiers.first == "One" }
    }

    @Test(arguments: ["DOCK", "NOTIFICATION", "DESKTOP", "POPUP_MENU", "SPLASH"])
    func `windows of desktop parts are auxiliary`(type: String) throws {
      windows.run("open a Mpv")
      try expect("the application") { $0?.identifiers.first == "Mpv" }
      windows.run("open x Other type=\(type)", "pretend x")
      try expect("the auxiliary window") { $0?.identifiers.first == "Other" }
      #expect(running.focused?.role == .auxiliary)
      windows.run("type x NORMAL")
      try expect("an application") { $0?.role == .application }
    }

    @Test func `no window is reported when one behind a panel closes`() throws {
      windows.run("open a Mpv")
      try expect("the application") { $0?.identifiers.first == "Mpv" }
      windows.run("open x Panel type=DOCK", "pretend x")
      try expect("the panel") { $0?.role == .auxiliary }
      windows.run("close a", "pretend x")
      try expect("nothing") { $0 == nil }
    }

    @Test func `the output of the window is reported`() throws {
      windows.run("open a Mpv x=1500 y=100")
      try expect("the neighbour") { $0?.output == "HDMI-1" }
      windows.run("move a 100 100")
      try expect("the panel") { $0?.output == "eDP-1" }
      windows.run("move a 1500 100")
      try expect("the neighbour again") { $0?.output == "HDMI-1" }
    }

    @Test func `a rotation does not move the focus to the neighbour`() throws {
      windows.run("open a Mpv x=950 y=100")
      try expect("the panel") { $0?.output == "eDP-1" }
      let before = running.focusReports.count
      try running.rotate("eDP-1", .rotated90).get()
      try running.wait("the rotation") { running.outputs.first?.transform == .rotated90 }
      try running.rotate("eDP-1", .none).get()
      try running.wait("the rotation back") { running.outputs.first?.transform == DisplayTransform.none }
      #expect(running.focusReports.dropFirst(before).allSatisfy { $0?.output == "eDP-1" })
    }

    @Test func `a change is reported once and a title is ignored`() throws {
      windows.run("open a Mpv")
      try expect("the window") { $0?.identifiers.first == "Mpv" }
      let before = running.focusReports.count
      for number in 1...50 { windows.run("title a \(number)", "class a Mpv") }
      windows.run("class a Other")
      try expect("another name") { $0?.identifiers.first == "Other" }
      #expect(running.focusReports.count == before + 1)
    }

    @Test func `titles are reported only while they are watched`() throws {
      windows.run("open a Mpv", "title a old")
      try expect("the window") { $0?.identifiers.first == "Mpv" && $0?.title == nil }
      running.backend.watchTitles(true)
      try expect("the title") { $0?.title == "old" }
      windows.run("title a film.mkv net", "title a other")
      try expect("the new title") { $0?.title == "film.mkv" }
      windows.run("open d Zenity type=DIALOG for=a", "title d question", "activate d", "title a next net")
      try expect("the title of the owner") { $0?.title == "next" }
      running.backend.watchTitles(false)
      try expect("no title") { $0?.title == nil }
    }

    @Test func `the focus is correct after a storm of events`() throws {
      windows.run("open a Mpv", "storm 500", "pretend a")
      try expect("the window after the storm") { $0?.identifiers.first == "Mpv" }
      #expect(running.gone == [])
      windows.run("fullscreen a yes")
      try expect("fullscreen") { $0?.isFullscreen == true }
    }

    @Test func `a closed window is not reported`() throws {
      windows.run("open a Mpv", "open b XTerm")
      try expect("the last, by the window manager") { $0?.identifiers.first == "XTerm" }
      windows.run("pretend a")
      try expect("the window") { $0?.identifiers.first == "Mpv" }
      windows.run("close a", "pretend none")
      try expect("nothing") { $0 == nil }
    }

    @Test func `events are selected for the active window and owners`() throws {
      windows.run("open a Mpv", "open d Zenity type=DIALOG for=a", "open b XTerm")
      try expect("the last alone, by the window manager") { $0?.identifiers.first == "XTerm" && watched == 1 }
      windows.run("pretend d")
      try expect("the dialog and its owner") { $0?.identifiers.first == "Mpv" && watched == 2 }
      windows.run("pretend none")
      try expect("nothing") { $0 == nil && watched == 0 }
    }

    private var watched: Int? { running.backend.session?.focus.watched.count }
  }
}

/// Windows of simulated applications, opened by a program of the bench. They close at the end of this object.
@MainActor
private final class TestWindows {
  private let pipe: UnsafeMutablePointer<FILE>

  init() throws {
    pipe = try #require(popen("exec \"$BENCH_WINDOW\" >/dev/null", "we"))
  }

  isolated deinit {
    pclose(pipe)
  }

  /// Runs commands of `Tests/Bench/panel/window.c`.
  func run(_ commands: String...) {
    for command in commands { fputs(command + "\n", pipe) }
    fflush(pipe)
  }
}
