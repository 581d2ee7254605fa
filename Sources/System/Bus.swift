// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// A connection to a message bus.
///
/// Nothing here waits but what says so in its name or its words: the handshake goes on in the loop, and what
/// is sent before its end is sent then. A bus that ends stays ended: `onClosed` is called once, calls fail
/// with an error, and whoever wants to go on makes a new `Bus`.
package final class Bus {
  /// How long what waits for a bus waits for its handshake: a program that asks once, and says so when there
  /// is no answer, before a second is over. A bus takes a millisecond, on a busy machine some tens of them.
  package static let handshakePatience = Duration.milliseconds(600)
  /// After this in the loop a bus counts as silent; nanoseconds.
  package static let silence: Int64 = 5_000_000_000

  let pointer: OpaquePointer
  let kind: Kind
  private(set) var loop: EventLoop?
  /// Who has the names whose signals are listened to; kept by those who listen.
  var owners: [String: WeakNameOwner] = [:]
  private var ends: Subscription?
  private var beginning: Subscription?
  private var silenceTimer: EventTimer?
  /// How many of the bus's answers it takes until all that was in the queue is read.
  var catchingUp = 0

  /// Called once, from the loop, when the handshake is over.
  package var onReady: (() -> Void)?
  /// Called once, from the loop, when the handshake is not over after five seconds (`silence`); it may be yet.
  package var onSilent: (() -> Void)?
  /// Called once, from the loop, when the bus has ended by itself; never after `close()`.
  package var onClosed: (() -> Void)?

  /// Begins to connect.
  /// - Parameter awaitsSocket: whether a socket that is not there, or that nobody listens at, is waited for
  ///   (which wakes up only when something changes in its directory) instead of being an error.
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

  /// Lets `loop` handle what comes in.
  /// - Parameter silence: how long the handshake may take before `onSilent`; nanoseconds.
  package func attach(to loop: EventLoop, silentAfter silence: Int64 = Bus.silence) throws(BusError) {
    let code = sd_bus_attach_event(pointer, loop.event, Int32(SD_EVENT_PRIORITY_NORMAL))
    try BusError.check(code, "sd_bus_attach_event")
    self.loop = loop
    ends = try match(.disconnected) { [weak self] _ in self?.end() }
    guard !isReady else { return }
    beginning = try match(.connected) { [weak self] _ in self?.begin() }
    silenceTimer = try? loop.timer { [weak self] in self?.noteSilence() }
    silenceTimer?.arm(at: EventLoop.now + silence)
  }

  /// Whether the handshake is over, and the bus has not ended.
  package var isReady: Bool { sd_bus_is_ready(pointer) > 0 }

  /// Ends the connection: names and exported objects go, callbacks no longer come.
  package func close() {
    forgetCallbacks()
    ends = nil
    if loop != nil { sd_bus_detach_event(pointer) }
    loop = nil
    sd_bus_close(pointer)
  }

  private func begin() {
    silenceTimer = nil
    onSilent = nil
    let onReady = onReady
    self.onReady = nil
    beginning = nil
    onReady?()
  }

  private func noteSilence() {
    silenceTimer = nil
    let onSilent = onSilent
    self.onSilent = nil
    onSilent?()
  }

  private func end() {
    let onClosed = onClosed
    forgetCallbacks()
    onClosed?()
  }

  private func forgetCallbacks() {
    onReady = nil
    onSilent = nil
    onClosed = nil
    beginning = nil
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
    // Otherwise the end of the loop waits for the handshake, to send what is left.
    sd_bus_set_close_on_exit(bus, 0)
    return sd_bus_start(bus)
  }
}
