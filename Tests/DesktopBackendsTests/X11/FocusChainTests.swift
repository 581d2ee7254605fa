// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("chain from the active window to its application")
@MainActor
struct FocusChainTests {
  private let root: UInt32 = 1
  private let place = ScreenRectangle(x: 0, y: 0, width: 100, height: 100)

  private func window(
    _ id: UInt32, _ name: String = "mpv", _ kind: WindowKind = .normal, fullscreen: Bool = false,
    named: UInt32? = nil, group: UInt32? = nil, last: FocusWindow? = nil, isShown: Bool = true
  ) -> FocusWindow {
    FocusWindow(
      id: id, identifiers: name.isEmpty ? [] : [name], kind: kind, isFullscreen: fullscreen,
      owner: FocusWindow.owner(of: id, named: named, kind: kind, group: group, root: root, last: last),
      group: group, rectangle: isShown ? place : nil)
  }

  /// The chain through existing windows.
  private func chain(_ active: FocusWindow, _ others: FocusWindow...) -> FocusChain {
    var chain = FocusChain(active)
    while let next = chain.next, let owner = others.first(where: { $0.id == next }) { chain.append(owner) }
    return chain
  }

  @Test func `a window without owner represents itself`() {
    #expect(
      chain(window(10)).window(on: "eDP-1") == Window(id: 10, identifiers: ["mpv"], output: "eDP-1"))
  }

  @Test func `a dialog is represented by its owner`() {
    let found = chain(
      window(12, "zenity", .dialog, named: 11), window(11, "", .dialog, named: 10),
      window(10, fullscreen: true))
    #expect(found.window(on: nil) == Window(id: 10, identifiers: ["mpv"], isFullscreen: true))
  }

  @Test func `a chain is fullscreen if any window is`() {
    let found = chain(window(11, "firefox", fullscreen: true, named: 10), window(10, "firefox"))
    #expect(found.window(on: nil)?.isFullscreen == true)
  }

  @Test func `the chain ends at the last existing owner`() {
    #expect(chain(window(12, named: 11), window(11, named: 10)).top?.id == 11)
  }

  @Test func `the chain ends before a circle`() {
    #expect(chain(window(10, named: 10)).top?.id == 10)
    #expect(chain(window(10, named: 11), window(11, named: 10)).top?.id == 11)
  }

  @Test func `the chain has a limited length`() {
    var endless = FocusChain(window(100, named: 101))
    while let next = endless.next { endless.append(window(next, named: next + 1)) }
    #expect(endless.windows.count == FocusChain.longest)
  }

  @Test func `a group's dialog belongs to its last focused window`() {
    let last = window(10, group: 7)
    let main = window(10, fullscreen: true, group: 7)
    for owner in [root, 0] {
      #expect(chain(window(11, named: owner, group: 7, last: last), main).top?.id == 10)
    }
    #expect(chain(window(11, "mpv", .dialog, group: 7, last: last), main).top?.id == 10)
    #expect(chain(window(11, group: 7, last: last), main).top?.id == 11)
    #expect(chain(window(11, "mpv", .dialog, group: 8, last: last), main).top?.id == 11)
    #expect(chain(window(11, "mpv", .dialog, group: 11, last: last), main).top?.id == 11)
    #expect(chain(window(11, "mpv", .dialog, last: last), main).top?.id == 11)
    #expect(chain(window(11, "mpv", .dialog, group: 7), main).top?.id == 11)
  }

  @Test func `an application window becomes the owner of its group`() {
    #expect(chain(window(10, group: 7)).groupOwner == window(10, group: 7))
    #expect(chain(window(20, "panel", .dock, group: 9)).groupOwner == nil)
    #expect(chain(window(30)).groupOwner == nil)
  }

  @Test func `a hidden owner has its dialog's name and place`() {
    let found = chain(window(11, "java-app", named: 10), window(10, "", isShown: false))
    #expect(found.identifiers == ["java-app"])
    #expect(found.top?.id == 10)
    #expect(found.shown?.id == 11)
  }

  @Test func `only the shown window of a chain moves`() {
    var found = chain(window(11, named: 10), window(10, isShown: false))
    let place = ScreenRectangle(x: 5, y: 6, width: 7, height: 8)
    found.moveShown(to: place)
    #expect(found.windows.map(\.rectangle) == [place, nil])
    found.moveShown(to: nil)
    found.moveShown(to: place)
    #expect(found.windows.map(\.rectangle) == [nil, nil] && found.shown == nil)
  }

  @Test func `the process is that of the outermost window that names one`() {
    var (dialog, owner) = (window(11, named: 10), window(10))
    #expect(chain(dialog, owner).window(on: nil)?.process == nil)
    dialog.process = 5
    #expect(chain(dialog, owner).window(on: nil)?.process == 5)
    owner.process = 6
    #expect(chain(dialog, owner).window(on: nil)?.process == 6)
  }

  @Test(
    arguments: [
      (.normal, .application), (.dialog, .application), (.utility, .application), (.toolbar, .application),
      (.desktop, .auxiliary), (.dock, .auxiliary), (.notification, .auxiliary), (.menu, .auxiliary),
      (.dropdownMenu, .auxiliary), (.popupMenu, .auxiliary), (.tooltip, .auxiliary), (.combo, .auxiliary),
      (.dragAndDrop, .auxiliary), (.splash, .auxiliary),
    ] as [(WindowKind, Window.Role)])
  func `the window type decides the role`(kind: WindowKind, role: Window.Role) {
    #expect(chain(window(10, "x", kind)).window(on: nil)?.role == role)
  }

  @Test func `a dialog of a desktop panel is auxiliary`() {
    #expect(chain(window(11, "panel", .dialog, named: 10), window(10, "panel", .dock)).role == .auxiliary)
  }

  @Test func `the class name comes before the instance name`() {
    #expect(
      FocusWindow.identifiers(classes: "Navigator\0firefox\0", others: [nil]) == ["firefox", "Navigator"])
    #expect(
      FocusWindow.identifiers(classes: "mpv\0mpv\0", others: ["io.mpv.Mpv", nil]) == ["mpv", "io.mpv.Mpv"])
    #expect(FocusWindow.identifiers(classes: "one", others: []) == ["one"])
    #expect(FocusWindow.identifiers(classes: "\0\0", others: [""]) == [])
    #expect(FocusWindow.identifiers(classes: nil, others: []) == [])
    #expect(FocusWindow.identifiers(classes: "a\0b\0c\0d", others: []) == ["b", "a"])
  }

  @Test func `the group is read only if its flag is set`() {
    #expect(WindowHints.group([64, 0, 0, 0, 0, 0, 0, 0, 7]) == 7)
    #expect(WindowHints.group([1, 0, 0, 0, 0, 0, 0, 0, 7]) == nil)
    #expect(WindowHints.group([64, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(WindowHints.group([64, 0, 0]) == nil)
    #expect(WindowHints.group([]) == nil)
  }
}
