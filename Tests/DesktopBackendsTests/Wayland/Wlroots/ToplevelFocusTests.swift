// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("wlroots' list of windows")
@MainActor
struct ToplevelFocusTests {
  private func running(_ fake: Fake) throws -> Running<WlrootsBackend> {
    fake.run("head eDP-1 1920 1080 0 0")
    fake.run("output eDP-1 1920 1080")
    return try Running(fake)
  }

  @Test func `the active window is reported`() throws {
    let fake = try Fake("toplevel 1 org.gnome.Maps", "toplevel 2 mpv")
    let running = try running(fake)
    fake.run("enter 2 eDP-1")
    fake.run("state 2 activated fullscreen")
    try running.wait("the focus") { running.focused != nil }
    #expect(running.focused == Window(id: 2, identifiers: ["mpv"], isFullscreen: true, output: "eDP-1"))
  }

  @Test func `titles are reported only while they are watched`() throws {
    let fake = try Fake("toplevel 1 mpv")
    let running = try running(fake)
    fake.run("state 1 activated")
    try running.wait("the focus") { running.focused != nil }
    fake.run("title 1 film.mkv")
    fake.run("state 1 activated fullscreen")
    try running.wait("fullscreen") { running.focused?.isFullscreen == true }
    #expect(running.focusReports.allSatisfy { $0?.title == nil })
    running.backend.watchTitles(true)
    try running.wait("the title") { running.focused?.title == "film.mkv" }
    fake.run("title 1 \(String(repeating: "é", count: 1_000))")
    try running.wait("the new title") { running.focused?.title == String(repeating: "é", count: 256) }
    running.backend.watchTitles(false)
    try running.wait("no title") { running.focused?.title == nil }
  }

  @Test func `entering and leaving fullscreen is reported`() throws {
    let fake = try Fake("toplevel 1 mpv")
    let running = try running(fake)
    for command in ["state 1 activated", "state 1 activated fullscreen", "state 1 activated"] {
      let wanted = command.hasSuffix("fullscreen")
      fake.run(command)
      try running.wait("fullscreen: \(wanted)") { running.focused?.isFullscreen == wanted }
    }
  }

  /// A launcher or an on-screen keyboard is not a toplevel.
  @Test func `a menu in front of a window is auxiliary`() throws {
    let fake = try Fake("toplevel 1 mpv")
    let running = try running(fake)
    fake.run("state 1 activated")
    try running.wait("the focus") { running.focused?.role == .application }
    fake.run("state 1")
    try running.wait("something in front") { running.focused?.role == .auxiliary }
    fake.run("state 1 minimized")
    try running.wait("nothing") { running.focused == nil }
  }

  @Test func `a closed window has no focus`() throws {
    let fake = try Fake("toplevel 1 mpv", "toplevel 2 foot")
    let running = try running(fake)
    fake.run("state 1 activated")
    try running.wait("the focus") { running.focused?.id == 1 }
    fake.run("close 1")
    try running.wait("nothing") { running.focused == nil }
    fake.run("state 2 activated")
    try running.wait("the other") { running.focused?.id == 2 }
  }

  @Test func `a dialog follows its owner`() throws {
    let fake = try Fake("toplevel 1 mpv", "toplevel 2 file-chooser")
    let running = try running(fake)
    fake.run("state 1 fullscreen")
    fake.run("parent 2 1")
    fake.run("state 2 activated")
    try running.wait("the owner") { running.focused != nil }
    #expect(running.focused == Window(id: 1, identifiers: ["mpv"], isFullscreen: true))
  }

  @Test func `circular parents are tolerated`() throws {
    let fake = try Fake("toplevel 1 a", "toplevel 2 b")
    let running = try running(fake)
    fake.run("parent 1 2")
    fake.run("parent 2 1")
    fake.run("state 1 activated")
    try running.wait("the focus") { running.focused?.role == .application }
    fake.run("close 2")
    try running.wait("the one that is left") { running.focused?.id == 1 || running.focused == nil }
  }

  @Test func `a window without an app ID has no identifiers`() throws {
    let fake = try Fake("toplevel 1 -")
    let running = try running(fake)
    fake.run("state 1 activated")
    try running.wait("the focus") { running.focused != nil }
    #expect(running.focused?.identifiers == [])
  }

  @Test func `a compositor without a window list is noted once`() throws {
    let fake = try Fake("offer toplevels 0")
    let running = try running(fake)
    #expect(running.notes.sentences.count == 1)
    #expect(running.notes.sentences.first?.contains("does not report the focused window") ?? false)
  }
}
