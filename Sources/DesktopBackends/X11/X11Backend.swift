// SPDX-License-Identifier: MIT

package import Autorotation
import CXCB
package import SystemBus

/// An X11 session: RandR turns the outputs, XInput's matrices let touch and pen follow.
package final class X11Backend: DesktopBackend {
  package let name = "X11"

  private let loop: EventLoop
  private let connection: X11Connection
  private let randr: RandR
  private let input: XInput?
  private let touch: TouchMapping?
  private let disabled: DisabledDevices?
  private let lifeline: Lifeline?
  let focus: FocusTracker
  private var settings: DisplaySettings
  private let nextTurn: NextTurn

  private var socket: EventSource?
  private var report: (Event) -> Void = { _ in }
  private var gone: ((String) -> Void)?
  private var reported: [Output]?
  private var reportedWindow: Window?
  private var fingers = FingersDown()
  /// What the events that came since have left to be read again.
  private var stale = Stale(outputs: true, devices: true)

  private struct Stale {
    var outputs = false
    var devices = false
  }

  /// - Parameters:
  ///   - display: like `DISPLAY`, which is taken if it is `nil`.
  ///   - note: takes sentences for the person.
  /// - Throws: `X11Unavailable`, or what the X server answered.
  package init(
    loop: EventLoop, display: String? = nil, settings: DisplaySettings = DisplaySettings(),
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.settings = settings
    connection = try X11Connection(display: display)
    guard try !connection.hasExtension("XWAYLAND") else {
      throw X11Unavailable.isXWayland(connection.displayName)
    }
    randr = try RandR(connection)
    // Before 23.1 it had no such extension, but names of its own for the outputs.
    guard try !randr.read().connectors.contains(where: { $0.name.hasPrefix("XWAYLAND") }) else {
      throw X11Unavailable.isXWayland(connection.displayName)
    }
    input = try XInput(connection)
    touch = input.map { TouchMapping($0, settings: settings, note: note) }
    disabled = input.map(DisabledDevices.init)
    lifeline = try Lifeline(connection)
    let desktopFiles = DesktopFiles()
    focus = try FocusTracker(
      connection, loop: loop, declarations: { desktopFiles.orientations(of: $0) }, note: note)
    nextTurn = try NextTurn(loop)
    if input == nil {
      note("the X server's XInput is older than 2.2: touch and pen will not follow the picture")
    }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (String) -> Void) throws {
    self.report = report
    self.gone = gone
    let socket = try loop.watch(connection.descriptor) { [weak self] in self?.handleEvents(reading: true) }
    // Whoever waits for a reply may find events on the way, and no descriptor tells of them.
    try socket.beforeWaiting { [weak self] in self?.handleEvents(reading: false) }
    self.socket = socket
    nextTurn { [weak self] in self?.refresh() }
  }

  package func apply(
    _ transform: DisplayTransform, to output: String,
    completion: @escaping (Result<Void, RotationFailure>) -> Void
  ) {
    let rotation = RandRRotation(
      randr: randr, touch: touch, lifeline: lifeline, panelName: panelName)
    let result: Result<Void, RotationFailure>
    do {
      try rotation.turn(output, to: transform)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    nextTurn { completion(result) }
  }

  package func use(_ settings: DisplaySettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    touch?.settings = settings
    stale.devices = true
    nextTurn { [weak self] in self?.refresh() }
  }

  package func disable(_ devices: DisabledInput?) -> Bool {
    guard let disabled else { return false }
    disabled.wanted = devices
    stale.devices = true
    nextTurn { [weak self] in self?.refresh() }
    return true
  }

  package func stop() {
    disabled?.stop()
    socket?.cancel()
    socket = nil
    nextTurn.cancel()
    report = { _ in }
    gone = nil
  }

  private func handleEvents(reading: Bool) {
    connection.drainEvents(reading: reading, handle)
    guard !connection.isBroken else { return end() }
    refresh()
  }

  private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
    if randr.isChange(event) {
      stale.outputs = true
    } else if let change = input?.change(event) {
      handle(change)
    } else {
      focus.absorb(event)
    }
  }

  private func handle(_ change: XInput.Change) {
    switch change {
    case .devices: stale.devices = true
    case .touchBegan(let finger): if isOnPanel(finger), fingers.began(finger) { report(.touchBegan) }
    case .touchEnded(let finger): if fingers.ended(finger) { report(.touchEnded) }
    }
  }

  private func isOnPanel(_ finger: Finger) -> Bool {
    touch?.devices.contains { $0.id == finger.device } ?? false
  }

  /// Reads again what has changed, once for all the events of a batch.
  private func refresh() {
    let stale = stale
    self.stale = Stale()
    // Anything but a broken connection is a thing that vanished between question and answer, of which
    // another event tells.
    do {
      if stale.devices { try refreshDevices() }
      if stale.devices || stale.outputs { try refreshOutputs() }
      try refreshFocus()
    } catch .gone { end() } catch {}
  }

  private func refreshFocus() throws(X11Error) {
    guard focus.isStale else { return }
    let window = try focus.refresh()
    guard window != reportedWindow else { return }
    reportedWindow = window
    report(.focusChanged(window))
  }

  private func refreshDevices() throws(X11Error) {
    try touch?.findDevices()
    try disabled?.settle()
    let present = Set(touch?.devices.map(\.id) ?? [])
    if fingers.keep(onlyOn: present) { report(.touchEnded) }
  }

  private func refreshOutputs() throws(X11Error) {
    let state = try randr.read()
    if let panel = panelName(state), let place = state.place(of: panel) { touch?.follow(place) }
    focus.lay(out: state.displays(first: panelName(state)))
    let outputs = state.outputs
    guard outputs != reported else { return }
    reported = outputs
    report(.outputsChanged(outputs))
  }

  private func panelName(_ state: RandRState) -> String? {
    state.panelName(chosen: settings.output)
  }

  private func end() {
    socket?.cancel()
    socket = nil
    let gone = gone
    self.gone = nil
    gone?("the X server of display \(connection.displayName) has ended")
  }
}
