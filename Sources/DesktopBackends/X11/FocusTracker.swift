// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Tracks the active window, by properties of the window manager and of the window.
///
/// An event only marks what is out of date. `refresh` reads it, once per batch of events: one round trip for the active
/// window's id, one for its properties, one for each owner of a dialog. A new title costs only the reading of the event
/// unless `watchesTitles` is set.
final class FocusTracker {
  private let connection: X11Connection
  private var atoms: X11Atoms { connection.atoms }
  private let manager: WindowManagerWatch
  /// Window properties after whose change the window is read again.
  private let relevant: Set<xcb_atom_t>

  /// Whether titles are read, and read again when they change.
  var watchesTitles = false {
    didSet { if watchesTitles != oldValue { stale.insert(.window) } }
  }

  private var stale = Set(Part.allCases)
  private var active: xcb_window_t = 0
  private var chain: FocusChain?
  /// The application window behind an auxiliary window.
  private var application: xcb_window_t = 0
  /// The application window that had focus last, and owns the dialogs of its group.
  private var groupOwner: FocusWindow?
  private var focusedOutput = FocusedOutput()
  /// The windows whose events are selected: the active one and its owners.
  private(set) var watched: Set<xcb_window_t> = []

  /// What may be out of date.
  private enum Part: CaseIterable {
    case manager, active, window, place
  }

  private static let relevant: [X11Name] = [.windowState, .windowType, .applicationID, .desktopFile]
  private static let predefined = [XCB_ATOM_WM_CLASS, XCB_ATOM_WM_TRANSIENT_FOR, XCB_ATOM_WM_HINTS]

  /// - Parameter note: receives messages for the user.
  init(_ connection: X11Connection, loop: EventLoop, note: @escaping (Message) -> Void) throws {
    self.connection = connection
    relevant = Set(Self.relevant.map { connection.atoms[$0] } + Self.predefined.map(\.rawValue))
    manager = try WindowManagerWatch(connection, loop: loop, note: note)
    connection.select(XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue, of: connection.root)
  }

  func markStale(by event: X11Event) {
    switch event.number {
    case XCB_PROPERTY_NOTIFY:
      let change: xcb_property_notify_event_t = event.contents()
      propertyChanged(change.atom, of: change.window)
    case XCB_CONFIGURE_NOTIFY:
      let change: xcb_configure_notify_event_t = event.contents()
      if watched.contains(change.window) { stale.insert(.place) }
    case XCB_MAP_NOTIFY, XCB_UNMAP_NOTIFY:
      let change: xcb_unmap_notify_event_t = event.contents()
      if watched.contains(change.window) { stale.insert(.window) }
    case XCB_DESTROY_NOTIFY:
      let change: xcb_destroy_notify_event_t = event.contents()
      if change.window == manager.check { stale.insert(.manager) }
      if watched.remove(change.window) != nil { stale.insert(.window) }
    default: break
    }
  }

  private func propertyChanged(_ property: xcb_atom_t, of window: xcb_window_t) {
    if window == connection.root {
      if property == atoms[.activeWindow] { stale.insert(.active) }
      if property == atoms[.supportingCheck] || property == atoms[.supported] { stale.insert(.manager) }
    } else if window == manager.check {
      if property == atoms[.supportingCheck] { stale.insert(.manager) }
    } else if relevant.contains(property) || watchesTitles && isTitle(property) {
      stale.insert(.window)
    }
  }

  private func isTitle(_ property: xcb_atom_t) -> Bool {
    property == atoms[.title] || property == XCB_ATOM_WM_NAME.rawValue
  }

  func updateLayout(_ displays: [FocusedOutput.Display]) {
    focusedOutput.updateLayout(displays, at: EventLoop.now)
    stale.insert(.place)
  }

  var isStale: Bool { !stale.isEmpty }

  /// Reads again what is out of date.
  /// - Returns: the active window; `nil` for none, or without a window manager.
  func refresh() throws(Message) -> Window? {
    let before = (active, chain, application, groupOwner)
    do throws(Message) {
      try readStale()
    } catch {
      // A late reply must not be mistaken for a missing window.
      (active, chain, application, groupOwner) = before
      stale = Set(Part.allCases)
      throw error
    }
    focusedOutput.updateWindow(chain?.shown?.id, at: chain?.shown?.rectangle, now: EventLoop.now)
    return chain.flatMap { $0.window(on: focusedOutput.name) }
  }

  /// The names of each application with a window; `nil` if no window manager lists them.
  func applications() throws(Message) -> [[String]]? {
    let clients = FullscreenRestorer.requestWindows(connection).numbers()
    try connection.checkAnswers()
    guard manager.isRunning, let clients else { return nil }
    let requests = clients.map { FocusWindowRequest(connection, $0) }
    let windows = requests.compactMap { $0.collect(connection) }
    try connection.checkAnswers()
    return windows.filter { $0.kind.role == .application }.map(\.identifiers)
  }

  private func readStale() throws(Message) {
    let due = stale
    stale = []
    if due.contains(.manager) { try manager.read() }
    if due.contains(.manager) || due.contains(.active) { readActive() }
    if due.union(stale).contains(.window) { readChain() } else if due.contains(.place) { readPlace() }
    try connection.checkAnswers()
  }

  private func readActive() {
    let request = X11Property(rootOf: connection, .activeWindow, type: XCB_ATOM_WINDOW)
    // xfwm4 writes a second value.
    let reported = request.numbers()?.first ?? 0
    let isWindow = reported != connection.root && reported != manager.check
    let now = manager.isRunning && isWindow ? reported : 0
    if now != active { stale.insert(.window) }
    active = now
  }

  private func readChain() {
    stale.remove(.window)
    chain = read(active).map { FocusChain($0) }
    while let next = chain?.next, let owner = read(next) { chain?.append(owner) }
    groupOwner = chain?.groupOwner ?? groupOwner
    // Already destroyed; its XID may be used again for another window.
    if chain == nil { active = 0 }
    var needed = Set(chain?.windows.map(\.id) ?? [])
    if chain?.role == .auxiliary {
      readApplication(&needed)
    } else if let top = chain?.top {
      application = top.id
    }
    watch(only: needed)
  }

  /// Checks that the application behind the active panel, menu or desktop is still visible. If it was closed or
  /// minimised, no window is reported.
  private func readApplication(_ needed: inout Set<xcb_window_t>) {
    if read(application)?.rectangle != nil {
      needed.insert(application)
    } else {
      application = 0
      chain = nil
    }
  }

  /// Selects events before it reads, so that no change is missed in between.
  private func read(_ window: xcb_window_t) -> FocusWindow? {
    guard window != 0 else { return nil }
    if watched.insert(window).inserted { connection.select(Self.events, of: window) }
    let request = FocusWindowRequest(connection, window, withTitle: watchesTitles)
    return request.collect(connection, last: groupOwner)
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
    chain?.moveShown(to: connection.requestPlace(of: shown)().rectangle)
  }
}
