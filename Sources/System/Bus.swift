// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// A connection to a message bus.
///
/// Functions block only if their name or comment says so. The handshake runs in the loop, and messages from before its
/// end are sent after it. A bus that has ended stays ended: `onClosed` is called once, and calls fail. To reconnect,
/// make a new `Bus`.
package final class Bus {
  /// The timeout of blocking calls for the handshake, so that a program can report within a second that the bus does
  /// not answer. A handshake takes a millisecond, on a busy machine some tens of them.
  package static let handshakeTimeout = Duration.milliseconds(600)
  /// How long the handshake may take in the loop before `onSilent`; nanoseconds.
  package static let silence: Int64 = 5_000_000_000

  let pointer: OpaquePointer
  /// Which bus this is, for another connection to it.
  package let kind: Kind
  private(set) var loop: EventLoop?
  /// The owners of the watched names; retained by the watches.
  var owners: [String: WeakNameOwner] = [:]
  /// To sd-bus's own signals.
  private var subscriptions: [Subscription] = []
  private var silenceTimer: EventTimer?
  /// The number of pending replies to `recheckQueuedCalls`.
  var pendingQueueChecks = 0

  /// Called once, from the loop, when the handshake is not over after five seconds (`silence`); it may still succeed.
  package var onSilent: (() -> Void)?
  /// Called once, from the loop, when the bus has ended; never after `close()`.
  package var onClosed: (() -> Void)?

  /// Starts to connect.
  /// - Parameter awaitsSocket: whether to wait for a socket that does not exist or has no listener, instead of an
  ///   error. This wakes up only for changes in its directory.
  package init(_ kind: Kind, awaitsSocket: Bool = false) throws(BusError) {
    var bus: OpaquePointer?
    let code = Self.open(kind, awaitsSocket, &bus)
    guard code >= 0, let bus else {
      sd_bus_unref(bus)
      throw kind.absence(code)
    }
    pointer = bus
    self.kind = kind
  }

  isolated deinit {
    close()
    sd_bus_unref(pointer)
  }

  /// Lets `loop` handle incoming messages.
  /// - Parameter silence: how long the handshake may take before `onSilent`; nanoseconds.
  package func attach(to loop: EventLoop, silentAfter silence: Int64 = Bus.silence) throws(BusError) {
    let code = sd_bus_attach_event(pointer, loop.event, Int32(SD_EVENT_PRIORITY_NORMAL))
    try BusError.check(code, "sd_bus_attach_event")
    self.loop = loop
    subscriptions = [try match(.disconnected) { [weak self] _ in self?.handleDisconnected() }]
    guard !isReady else { return }
    subscriptions.append(try match(.connected) { [weak self] _ in self?.handleConnected() })
    silenceTimer = try? loop.timer(at: EventLoop.now + silence) { [weak self] in self?.onSilent?() }
  }

  /// Whether the handshake is over, and the bus has not ended.
  package var isReady: Bool { sd_bus_is_ready(pointer) > 0 }

  /// Ends the connection: names and exported objects are released, and no callback is called any more.
  package func close() {
    clearCallbacks()
    subscriptions = []
    if loop != nil { sd_bus_detach_event(pointer) }
    loop = nil
    sd_bus_close(pointer)
  }

  private func handleConnected() {
    silenceTimer = nil
    onSilent = nil
  }

  private func handleDisconnected() {
    let onClosed = onClosed
    clearCallbacks()
    onClosed?()
  }

  private func clearCallbacks() {
    onSilent = nil
    onClosed = nil
    silenceTimer = nil
  }

  private static func open(_ kind: Kind, _ awaitsSocket: Bool, _ bus: inout OpaquePointer?) -> Int32 {
    guard let address = kind.address else { return -ENOMEDIUM }
    let made = sd_bus_new(&bus)
    guard made >= 0 else { return made }
    let addressed = sd_bus_set_address(bus, address)
    guard addressed >= 0 else { return addressed }
    sd_bus_set_bus_client(bus, 1)
    sd_bus_set_connected_signal(bus, 1)
    sd_bus_set_watch_bind(bus, awaitsSocket ? 1 : 0)
    // Otherwise the end of the loop would wait for the handshake, to send queued messages.
    sd_bus_set_close_on_exit(bus, 0)
    return sd_bus_start(bus)
  }

  /// A bus, and its address.
  nonisolated package enum Kind: Equatable, Sendable {
    /// The user's: `DBUS_SESSION_BUS_ADDRESS`, or else the socket `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// The machine's: `DBUS_SYSTEM_BUS_ADDRESS`, or else the usual socket.
    case system
    /// Any other, by its D-Bus address ("unix:path=/run/other").
    case at(address: String)
  }
}

nonisolated extension Bus.Kind {
  /// `nil` if the environment has no address.
  var address: String? {
    switch self {
    case .session:
      Environment.variable("DBUS_SESSION_BUS_ADDRESS")
        ?? Environment.variable("XDG_RUNTIME_DIR").map { "unix:path=\(Self.escaped($0))/bus" }
    case .system: Environment.variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
    case .at(let address): address
    }
  }

  /// For use in sentences.
  var name: String {
    switch self {
    case .session: "the session bus"
    case .system: "the system bus"
    case .at(let address): "the bus at \(address)"
    }
  }

  /// Whether there is anything to connect to, now or later.
  package var hasAddress: Bool { address != nil }

  /// The error for a bus that accepts a connection and does not answer.
  package var silence: BusError { BusError(BusError.silentBus, "\(name) does not answer", .silent(self)) }

  func absence(_ code: Int32) -> BusError {
    let reason = String(cString: strerror(abs(code)))
    guard abs(code) != ENOMEDIUM else {
      return BusError(BusError.noServer, "\(name) has no address", .withoutAddress(self))
    }
    return BusError(
      BusError.noServer, "\(name) does not answer: \(reason)", .unreachable(self, reason: reason))
  }

  /// Escaped for a D-Bus address: all but letters, digits and a few other characters as % and two hexadecimal digits.
  static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      return isPlain || "-_/.".contains(character) ? String(character) : "%" + byte.hexadecimal
    }.joined()
  }
}
