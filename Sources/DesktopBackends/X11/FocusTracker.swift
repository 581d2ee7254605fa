// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Which window is active, by what the window manager and the window itself tell.
///
/// An event only marks what is out of date; `refresh` reads that, once for all the events of a batch: one
/// round trip for the number of the active window, one for all about it, one more for each owner of a
/// dialog. A new title costs the reading of the event.
final class FocusTracker {
  private let connection: X11Connection
  private let atoms: FocusAtoms
  private let manager: WindowManagerWatch

  private var stale = Stale()
  private var active: xcb_window_t = 0
  private var chain: FocusChain?
  /// The application in front of which an auxiliary window may be.
  private var application: xcb_window_t = 0
  private var lastMember: FocusChain.Member?
  private var place = FocusPlace()
  /// The windows whose events come here: the active one, and its owners.
  private(set) var watched: Set<xcb_window_t> = []

  private struct Stale {
    var manager = true
    var active = true
    var window = true
    var place = true

    static let everything = Self()
    static let nothing = Self(manager: false, active: false, window: false, place: false)
    var isAnything: Bool { manager || active || window || place }
  }

  /// - Parameter note: takes what the person is told.
  init(_ connection: X11Connection, loop: EventLoop, note: @escaping (Message) -> Void) throws {
    self.connection = connection
    atoms = try FocusAtoms(connection)
    manager = try WindowManagerWatch(connection, atoms, loop: loop, note: note)
    connection.select(XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue, of: connection.root)
  }

  /// Marks what an event has left to be read again.
  func absorb(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
    switch Int32(event.pointee.response_type & 0x7f) {
    case XCB_PROPERTY_NOTIFY:
      event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) {
        propertyChanged($0.pointee.atom, of: $0.pointee.window)
      }
    case XCB_CONFIGURE_NOTIFY:
      event.withMemoryRebound(to: xcb_configure_notify_event_t.self, capacity: 1) {
        if watched.contains($0.pointee.window) { stale.place = true }
      }
    case XCB_MAP_NOTIFY, XCB_UNMAP_NOTIFY:
      event.withMemoryRebound(to: xcb_unmap_notify_event_t.self, capacity: 1) {
        if watched.contains($0.pointee.window) { stale.window = true }
      }
    case XCB_DESTROY_NOTIFY:
      event.withMemoryRebound(to: xcb_destroy_notify_event_t.self, capacity: 1) {
        destroyed($0.pointee.window)
      }
    default: break
    }
  }

  private func propertyChanged(_ property: xcb_atom_t, of window: xcb_window_t) {
    if window == connection.root {
      if property == atoms[.activeWindow] { stale.active = true }
      if property == atoms[.supportingCheck] || property == atoms[.supported] { stale.manager = true }
    } else if window == manager.check {
      if property == atoms[.supportingCheck] { stale.manager = true }
    } else if atoms.meaningful.contains(property) {
      stale.window = true
    }
  }

  private func destroyed(_ window: xcb_window_t) {
    if window == manager.check { stale.manager = true }
    if watched.remove(window) != nil { stale.window = true }
  }

  func lay(out displays: [FocusPlace.Display]) {
    place.lay(out: displays, at: EventLoop.now)
    stale.place = true
  }

  /// Whether `refresh` has something to do.
  var isStale: Bool { stale.isAnything }

  /// Reads again what is out of date.
  /// - Returns: the active window; `nil` for none, or if there is nobody to tell it.
  func refresh() throws(Message) -> Window? {
    let before = (active, chain, application, lastMember)
    do throws(Message) {
      try readStale()
    } catch {
      // What did not come in time must not pass for what is not there.
      (active, chain, application, lastMember) = before
      stale = .everything
      throw error
    }
    place.show(chain?.shown?.id, at: chain?.shown?.rectangle, now: EventLoop.now)
    return chain.flatMap { $0.window(on: place.output) }
  }

  /// All names of each application that has a window; `nil` where no window manager lists them.
  func applications() throws(Message) -> [[String]]? {
    let list = X11Property(
      connection, connection.root, atoms[.clients], type: XCB_ATOM_WINDOW, words: FullscreenKeeper.mostClients
    )
    let clients = list.numbers(connection)
    try connection.checkAnswers()
    guard manager.isThere, let clients else { return nil }
    let requests = clients.map { FocusWindowRequest(connection, $0, atoms) }
    let windows = requests.compactMap { $0.collect(connection, atoms) }
    try connection.checkAnswers()
    return windows.filter { $0.kind.role == .application }.map(\.identifiers)
  }

  private func readStale() throws(Message) {
    let due = stale
    stale = .nothing
    if due.manager { try manager.read() }
    if due.manager || due.active { readActive() }
    if due.window || stale.window { readChain() } else if due.place { readPlace() }
    try connection.checkAnswers()
  }

  private func readActive() {
    let request = X11Property(connection, connection.root, atoms[.activeWindow], type: XCB_ATOM_WINDOW)
    // xfwm4 writes a second value.
    let told = request.numbers(connection)?.first ?? 0
    let isWindow = told != connection.root && told != manager.check
    let now = manager.isThere && isWindow ? told : 0
    if now != active { stale.window = true }
    active = now
  }

  private func readChain() {
    stale.window = false
    chain = read(active).map { FocusChain($0, last: lastMember) }
    while let next = chain?.next, let owner = read(next) { chain?.append(owner) }
    lastMember = chain?.member ?? lastMember
    // Gone already; the next window of this number is another.
    if chain == nil { active = 0 }
    var needed = Set(chain?.windows.map(\.id) ?? [])
    if chain?.role == .auxiliary {
      readApplication(&needed)
    } else if let top = chain?.top {
      application = top.id
    }
    watch(only: needed)
  }

  /// Whether the application is still there behind the panel, menu or desktop that is active. When it was
  /// closed or put away, that is as good as no window.
  private func readApplication(_ needed: inout Set<xcb_window_t>) {
    if read(application)?.rectangle != nil {
      needed.insert(application)
    } else {
      application = 0
      chain = nil
    }
  }

  /// Listens before it looks, so that no change is missed in between.
  private func read(_ window: xcb_window_t) -> FocusWindow? {
    guard window != 0 else { return nil }
    if watched.insert(window).inserted { connection.select(Self.events, of: window) }
    return FocusWindowRequest(connection, window, atoms).collect(connection, atoms)
  }

  private static let events =
    XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue

  private func watch(only windows: Set<xcb_window_t>) {
    for window in watched.subtracting(windows) { connection.select(0, of: window) }
    watched = windows
    connection.flush()
  }

  private func readPlace() {
    guard let shown = chain?.shown?.id else { return }
    chain?.moveShown(to: FocusPlaceRequest(connection, shown).collect(connection).rectangle)
  }
}
