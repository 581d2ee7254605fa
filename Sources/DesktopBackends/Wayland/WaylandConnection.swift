// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import CWaylandProtocols
import Glibc
import System

/// A connection to a Wayland compositor. Requests are sent before the loop waits, or by `flush`; events go to the
/// listeners of their proxies. The proxies must be destroyed before the connection is.
final class WaylandConnection {
  /// The `wl_display`.
  let handle: OpaquePointer
  /// The compositor's globals; known from the beginning.
  let registry: WaylandRegistry
  let path: String

  private var socket: EventSource?
  private var afterEvents: () -> Void = {}
  private var gone: ((Message) -> Void)?
  /// Whether requests wait because the send buffer is full.
  private(set) var isSendBufferFull = false

  private var roundTrips: [RoundTrip] = []
  private let timeout: Int64

  /// The default time limit of an answer, in nanoseconds.
  static let timeout: Int64 = 2_000_000_000

  /// Waits for the compositor's globals.
  /// - Parameters:
  ///   - display: a name or a path; overrides `WAYLAND_DISPLAY`.
  ///   - timeout: the time limit for connecting, and for each answer; nanoseconds.
  init(display: String? = nil, timeout: Int64 = WaylandConnection.timeout) throws(Message) {
    WaylandLog.capture()
    self.timeout = timeout
    path = try WaylandSocket.path(display: display)
    let descriptor = try WaylandSocket.connect(path, within: timeout)
    // Each fails only without memory.
    guard let proxy = wl_display_connect_to_fd(descriptor), let registry = WaylandRegistry(proxy) else {
      throw .cannotConnect(to: path, reason: "\(String(cString: strerror(ENOMEM)))")
    }
    handle = proxy
    self.registry = registry
    do {
      try roundTrip()
    } catch {
      throw error.code == .displaySilent ? error : .notACompositor(path, reason: error)
    }
  }

  isolated deinit {
    // No proxy may outlive the display, and properties are released after this.
    for trip in roundTrips { trip.destroy() }
    registry.destroy()
    wl_display_disconnect(handle)
  }

  /// The name for messages: "wayland-1".
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The process that opened the socket: the compositor or a helper of it.
  var compositorProcess: SessionDescription.Process? { .init(atOtherEndOf: wl_display_get_fd(handle)) }

  /// The process name, at most 15 bytes of it.
  var compositor: String? { compositorProcess?.name }

  var failure: Message? {
    wl_display_get_error(handle) == 0 ? nil : .failure(of: handle, log: WaylandLog.last)
  }

  /// Handles events on the loop from now on.
  /// - Parameters:
  ///   - afterEvents: called when the listeners have received all events of a batch.
  ///   - gone: called once, with the reason, when the connection has ended.
  func start(
    on loop: EventLoop, afterEvents: @escaping () -> Void, gone: @escaping (Message) -> Void
  ) throws {
    self.afterEvents = afterEvents
    self.gone = gone
    let socket = try loop.watch(wl_display_get_fd(handle)) { [weak self] in self?.readEvents() }
    // A blocking wait may have queued events, which no descriptor reports.
    try socket.beforeWaiting { [weak self] in self?.dispatchPending() }
    self.socket = socket
  }

  func stop() {
    socket?.cancel()
    socket = nil
    afterEvents = {}
    gone = nil
  }

  /// Sends the requests made so far, as far as the socket accepts them.
  func flush() {
    let isFull = wl_display_flush(handle) < 0 && errno == EAGAIN
    guard isFull != isSendBufferFull else { return }
    isSendBufferFull = isFull
    socket?.watchWritability(isFull)
  }

  /// Sends the requests so far, and calls `handler` when the compositor has handled them, after their events; never if
  /// it ends before.
  func afterRoundTrip(_ handler: @escaping () -> Void) {
    let trip = RoundTrip(handle) { [weak self] trip in
      self?.roundTrips.removeAll { $0 === trip }
      trip.destroy()
      handler()
    }
    if let trip { roundTrips.append(trip) }
    flush()
  }

  /// Waits until the compositor has handled all requests so far, and handles their events.
  func roundTrip() throws(Message) {
    var isDone = false
    afterRoundTrip { isDone = true }
    try waitForEvents(until: EventLoop.now + timeout) { isDone }
  }

  /// Like `roundTrip`, with errors for a connection that is not set up yet.
  func firstRoundTrip() throws(Message) {
    do {
      try roundTrip()
    } catch {
      throw error.code == .displaySilent ? error : .cannotConnect(to: path, reason: error.phrase)
    }
  }

  /// Waits until an event has made a condition true.
  func waitForEvents(until deadline: Int64, _ hasArrived: () -> Bool) throws(Message) {
    while !hasArrived() {
      guard wl_display_dispatch_pending(handle) >= 0 else { throw failure ?? .compositorHasEnded }
      if hasArrived() { return }
      flush()
      guard wl_display_prepare_read(handle) == 0 else { continue }
      let remaining = deadline - EventLoop.now
      guard remaining > 0, poll(milliseconds: remaining / 1_000_000 + 1) else {
        wl_display_cancel_read(handle)
        if EventLoop.now < deadline { continue }
        // The connection may still be usable.
        throw .silentCompositor(on: path)
      }
      guard wl_display_read_events(handle) == 0 else { throw failure ?? .compositorHasEnded }
    }
  }

  /// - Returns: whether there is something to read.
  private func poll(milliseconds: Int64) -> Bool {
    let events = Int16(POLLIN) | (isSendBufferFull ? Int16(POLLOUT) : 0)
    var waiting = pollfd(fd: wl_display_get_fd(handle), events: events, revents: 0)
    return Glibc.poll(&waiting, 1, Int32(clamping: milliseconds)) > 0 && waiting.revents != Int16(POLLOUT)
  }

  private func readEvents() {
    while wl_display_prepare_read(handle) != 0 {
      guard wl_display_dispatch_pending(handle) >= 0 else { return end() }
    }
    // Does not block, even if nothing is there.
    guard wl_display_read_events(handle) == 0, wl_display_dispatch_pending(handle) >= 0 else { return end() }
    afterEvents()
    dispatchPending()
  }

  private func dispatchPending() {
    let handled = wl_display_dispatch_pending(handle)
    if handled > 0 { afterEvents() }
    flush()
    if failure != nil { end() }
  }

  private func end() {
    guard socket != nil else { return }
    let gone = gone
    let failure = failure ?? .compositorHasEnded
    stop()
    gone?(failure)
  }

  private final class RoundTrip: WaylandListener {
    let proxy: OpaquePointer
    let isAnswered: (RoundTrip) -> Void

    init?(_ display: OpaquePointer, _ isAnswered: @escaping (RoundTrip) -> Void) {
      guard let proxy = wl_display_sync(display) else { return nil }
      self.proxy = proxy
      self.isAnswered = isAnswered
      wl_callback_add_listener(proxy, Self.listener, context)
    }

    func destroy() {
      wl_callback_destroy(proxy)
    }

    private static let listener = pinned { (listener: inout wl_callback_listener) in
      listener.done = { context, _, _ in
        guard let trip = RoundTrip.at(context) else { return }
        trip.isAnswered(trip)
      }
    }
  }
}

/// A table of callbacks at an address that stays for the life of the process, as libwayland keeps it. Events that
/// `setEvents` leaves out are ignored.
///
/// An event without an entry would end the process, so these have a function that does nothing. It takes no arguments,
/// as in the type that libwayland itself has for all entries: every ABI of Linux defines a call with more of them.
func pinned<Listener>(_ setEvents: (inout Listener) -> Void) -> UnsafePointer<Listener> {
  typealias Event = @convention(c) () -> Void
  let size = MemoryLayout<Listener>.size
  let place = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Listener>.alignment)
  place.initializeMemory(as: Event.self, repeating: {}, count: size / MemoryLayout<Event>.size)
  let listener = place.bindMemory(to: Listener.self, capacity: 1)
  setEvents(&listener.pointee)
  return UnsafePointer(listener)
}

/// An object that libwayland passes to the callbacks of its listeners.
protocol WaylandListener: AnyObject {}

extension WaylandListener {
  /// For `…_add_listener`.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The object that a callback is for.
  static func at(_ context: UnsafeMutableRawPointer?) -> Self? {
    context.map { Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// The socket of a compositor: its path, and a connection with a time limit.
enum WaylandSocket {
  /// - Parameter display: a name or a path; overrides `WAYLAND_DISPLAY`.
  static func path(
    display: String?, variable: (String) -> String? = Environment.variable
  ) throws(Message) -> String {
    guard let name = display ?? variable("WAYLAND_DISPLAY"), !name.isEmpty else { throw .noWaylandDisplay }
    if name.hasPrefix("/") { return name }
    guard let directory = variable("XDG_RUNTIME_DIR"), !directory.isEmpty else {
      throw .noRuntimeDirectory(display: name)
    }
    return "\(directory)/\(name)"
  }

  /// - Parameter nanoseconds: the time limit while the backlog is full.
  static func connect(_ path: String, within nanoseconds: Int64) throws(Message) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else {
      throw .cannotConnect(to: path, reason: "\(String(cString: strerror(errno)))")
    }
    var limit = timeval(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let code = UnixSocket.connect(descriptor, to: path)
    guard code != 0 else { return descriptor }
    close(descriptor)
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR: throw .noCompositor(on: path)
    case EAGAIN, EINPROGRESS: throw .silentCompositor(on: path)
    case ENAMETOOLONG: throw .cannotConnect(to: path, reason: "the path is too long")
    default: throw .cannotConnect(to: path, reason: "\(String(cString: strerror(code)))")
    }
  }
}
