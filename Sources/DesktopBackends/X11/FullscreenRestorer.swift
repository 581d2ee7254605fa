// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Moves fullscreen windows back to their output where the window manager moves them to another one during a rotation.
/// Openbox and xfwm4 choose the output that shows most of a window, and check after the neighbours have moved below it.
final class FullscreenRestorer {
  /// When to check, in nanoseconds after the rotation: most window managers are done by the first,
  /// busy ones by the last.
  private static let checkTimes: [Int64] = [100_000_000, 400_000_000, 1_000_000_000]

  private let connection: X11Connection
  private var atoms: X11Atoms { connection.atoms }
  private var timer: EventTimer?
  /// The output that each window filled before the rotation.
  private var origins: [xcb_window_t: String] = [:]
  private var remainingChecks = ArraySlice<Int64>()
  /// `nil` if the windows need no further check.
  private var nextCheck: Int64?

  /// - Parameter due: called when it is time for a check.
  init(_ connection: X11Connection, loop: EventLoop, due: @escaping () -> Void) throws {
    self.connection = connection
    timer = try loop.timer(due)
  }

  /// Requests the list of windows, 1024 at most: far more than usual.
  static func requestWindows(_ connection: X11Connection) -> X11Property {
    X11Property(rootOf: connection, .clients, type: XCB_ATOM_WINDOW, words: 1024)
  }

  /// Records which of these windows fill these outputs. To be called before they rotate.
  func record(_ outputs: [String], _ state: RandRState, _ windows: [xcb_window_t]) {
    // Windows that are not yet moved back after the previous rotation keep their output.
    if nextCheck == nil { origins = [:] }
    let displays = state.displays(first: nil).filter { outputs.contains($0.name) }
    for (window, rectangle) in fullscreen(among: windows) {
      if let display = displays.first(where: { $0.rectangle == rectangle }) { origins[window] = display.name }
    }
  }

  func outputsRotated() {
    let now = EventLoop.now
    remainingChecks = Self.checkTimes.map { now + $0 }[...]
    scheduleCheck()
  }

  /// Checks the windows, if that is due.
  func refresh(_ randr: RandR) throws(Message) {
    guard let nextCheck, nextCheck <= EventLoop.now else { return }
    let displays = try randr.read().displays(first: nil)
    let places = Dictionary(fullscreen(among: Array(origins.keys))) { first, _ in first }
    try connection.checkAnswers()
    origins = origins.filter { places[$0.key] != nil }
    for (window, output) in origins {
      guard let display = displays.first(where: { $0.name == output }) else { continue }
      if places[window] != display.rectangle { moveBack(window, to: display.rectangle) }
    }
    connection.flush()
    scheduleCheck()
  }

  private func scheduleCheck() {
    nextCheck = origins.isEmpty ? nil : remainingChecks.popFirst()
    timer?.arm(at: nextCheck)
  }

  // MARK: Windows

  /// Those that are fullscreen and shown, with their positions.
  private func fullscreen(among windows: [xcb_window_t]) -> [(xcb_window_t, ScreenRectangle)] {
    let requests = windows.map { window in
      (
        window, X11Property(connection, window, atoms[.windowState], type: XCB_ATOM_ATOM.rawValue, words: 32),
        connection.requestPlace(of: window)
      )
    }
    return requests.compactMap { window, state, place in
      let states = state.numbers() ?? []
      let rectangle = place().rectangle
      guard states.contains(atoms[.fullscreen]) else { return nil }
      return rectangle.map { (window, $0) }
    }
  }

  /// Openbox moves a fullscreen window; for xfwm4, which does not, the second try leaves fullscreen first.
  private func moveBack(_ window: xcb_window_t, to place: ScreenRectangle) {
    let isSecondTry = remainingChecks.count < Self.checkTimes.count - 1
    let northWest: UInt32 = 1
    // The second try keeps the size.
    let fields: UInt32 = (isSecondTry ? 0x3 : 0xf) << 8
    let numbers = [place.x, place.y, place.width, place.height].map { UInt32(truncatingIfNeeded: $0) }
    if isSecondTry { setFullscreen(window, false) }
    sendRequest(.moveResize, of: window, [northWest | fields | Self.pager << 12] + numbers)
    if isSecondTry { setFullscreen(window, true) }
  }

  /// EWMH's source indication for pagers.
  private static let pager: UInt32 = 2

  private func setFullscreen(_ window: xcb_window_t, _ isOn: Bool) {
    sendRequest(.windowState, of: window, [isOn ? 1 : 0, atoms[.fullscreen], 0, Self.pager, 0])
  }

  /// - Parameter words: five.
  private func sendRequest(_ request: X11Name, of window: xcb_window_t, _ words: [UInt32]) {
    var event = xcb_client_message_event_t()
    event.response_type = UInt8(XCB_CLIENT_MESSAGE)
    event.format = 32
    event.window = window
    event.type = atoms[request]
    withUnsafeMutableBytes(of: &event.data) { data in words.withUnsafeBytes(data.copyMemory) }
    let listeners =
      XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue
    withUnsafeBytes(of: event) {
      let start = $0.assumingMemoryBound(to: CChar.self).baseAddress
      xcb_send_event(connection.handle, 0, connection.root, listeners, start)
    }
  }
}
