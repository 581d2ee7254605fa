// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Puts fullscreen windows back on their panel where the window manager lays them elsewhere as it turns: Openbox and
/// xfwm4 take the output that shows most of a window, and look when the others have moved below it already.
final class FullscreenKeeper {
  /// After the turn, in nanoseconds: by the first look window managers have done their part, by the last busy ones have.
  private static let looks: [Int64] = [100_000_000, 400_000_000, 1_000_000_000]

  private let connection: X11Connection
  private let atoms: FocusAtoms
  private var timer: EventTimer?
  /// The output that each window fills.
  private var kept: [xcb_window_t: String] = [:]
  private var turnedAt: Int64 = 0
  /// Those of the looks that are still to come.
  private var left = ArraySlice<Int64>()
  private var isWatching = false
  private var isDue = false

  /// - Parameter due: called when there is something to look at.
  init(_ connection: X11Connection, loop: EventLoop, due: @escaping () -> Void) throws {
    self.connection = connection
    atoms = try FocusAtoms(connection)
    timer = try loop.timer { [weak self] in
      self?.isDue = true
      due()
    }
  }

  isolated deinit {
    timer?.cancel()
  }

  /// To be called before outputs turn.
  /// - Returns: the windows that there are, on their way, for `note`.
  func askWindows() -> X11Property {
    X11Property(
      connection, connection.root, atoms[.clients], type: XCB_ATOM_WINDOW, words: Self.mostClients)
  }

  /// To be called before these outputs turn.
  func note(_ outputs: [String], _ state: RandRState, _ windows: [xcb_window_t]) {
    // What is to be put back after the last turn is not to be forgotten for the next one.
    if !isWatching { kept = [:] }
    let displays = state.displays(first: nil).filter { outputs.contains($0.name) }
    for (window, rectangle) in fullscreen(among: windows) {
      if let display = displays.first(where: { $0.rectangle == rectangle }) { kept[window] = display.name }
    }
  }

  /// To be called when they have turned.
  func turned() {
    turnedAt = EventLoop.now
    left = Self.looks[...]
    lookAgain()
  }

  /// Looks, if that is due.
  func refresh(_ randr: RandR) throws(Message) {
    guard isDue else { return }
    let displays = try randr.read().displays(first: nil)
    let places = Dictionary(fullscreen(among: Array(kept.keys))) { first, _ in first }
    try connection.checkAnswers()
    isDue = false
    kept = kept.filter { places[$0.key] != nil }
    for (window, output) in kept {
      guard let display = displays.first(where: { $0.name == output }) else { continue }
      if places[window] != display.rectangle { putBack(window, to: display.rectangle) }
    }
    connection.flush()
    lookAgain()
  }

  private func lookAgain() {
    let next = kept.isEmpty ? nil : left.popFirst()
    isWatching = next != nil
    timer?.arm(at: next.map { turnedAt + $0 })
  }

  // MARK: Windows

  /// No person has more windows; in units of four bytes.
  static let mostClients: UInt32 = 1024

  /// Those of them that are fullscreen and shown, with where they are.
  private func fullscreen(among windows: [xcb_window_t]) -> [(xcb_window_t, ScreenRectangle)] {
    let requests = windows.map { window in
      (
        window, X11Property(connection, window, atoms[.state], type: XCB_ATOM_ATOM, words: 32),
        FocusPlaceRequest(connection, window)
      )
    }
    return requests.compactMap { window, state, place in
      let states = state.numbers(connection) ?? []
      let rectangle = place.collect(connection).rectangle
      guard states.contains(atoms[.fullscreen]) else { return nil }
      return rectangle.map { (window, $0) }
    }
  }

  /// Openbox moves a window that stays fullscreen; whoever does not (xfwm4) is asked again by parts.
  private func putBack(_ window: xcb_window_t, to place: ScreenRectangle) {
    let isSecondTry = left.count < Self.looks.count - 1
    if isSecondTry { setFullscreen(window, false) }
    move(window, to: place, keepingSize: isSecondTry)
    if isSecondTry { setFullscreen(window, true) }
  }

  /// The messages' word for who asks.
  private static let pager: UInt32 = 2

  private func setFullscreen(_ window: xcb_window_t, _ isOn: Bool) {
    ask(.state, of: window, [isOn ? 1 : 0, atoms[.fullscreen], 0, Self.pager, 0])
  }

  private func move(_ window: xcb_window_t, to place: ScreenRectangle, keepingSize: Bool) {
    let northWest: UInt32 = 1
    let fields: UInt32 = (keepingSize ? 0x3 : 0xf) << 8
    let numbers = [place.x, place.y, place.width, place.height].map { UInt32(truncatingIfNeeded: $0) }
    ask(.moveResize, of: window, [northWest | fields | Self.pager << 12] + numbers)
  }

  /// - Parameter words: five.
  private func ask(_ request: FocusName, of window: xcb_window_t, _ words: [UInt32]) {
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
