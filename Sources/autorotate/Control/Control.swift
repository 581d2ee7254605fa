// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The daemon's presence on the session bus. Without a bus, or with one that does not answer, the screen still
/// rotates.
///
/// A missing bus is awaited at its socket, and one that does not answer at its connection, without polling. Only
/// what neither reports is polled.
///
/// A bus that starts the daemon for a call delivers that call before it confirms the name. So the object is exported
/// before any message is handled: the first name request runs without the loop, which begins with `start`, and later
/// requests are sent only once the object is exported.
@MainActor final class Control {
  /// The delay before the reconnection to a bus that has ended, so that one that ends repeatedly costs little.
  private static let reconnectDelay = Duration.seconds(1)

  private let loop: EventLoop
  private let kind: Bus.Kind
  private let retryAfter: Duration
  private let log: (String) -> Void
  /// Called with a new bus, and with `nil` when it has ended. Set it before `start`.
  var onBus: ((Bus?) -> Void)?
  /// Called when another daemon has the name: this one must end. Set it before `start`.
  var onTaken: ((Message) -> Void)?
  private var handle: EventHandler?
  /// Prepares each new object for queries. Set it before `start`.
  var onService: ((ControlService) -> Void)?
  private var bus: Bus?
  /// The exported object, maybe before the name is ours.
  private var offered: ControlService?
  private var isNamed = false
  /// The object that callers find by the name; `nil` without one.
  var service: ControlService? { isNamed ? offered : nil }
  private var status: Status?
  private var retry: EventTimer?
  private var clockWatch: WallClockWatch?
  private var hasReported = false

  /// Requests the daemon's name. Calls are answered only after `start`.
  /// - Parameters:
  ///   - timeout: how long the bus has to answer before the daemon starts without it. It answers in a
  ///     millisecond, and a second daemon in the session must not start to rotate.
  ///   - retryAfter: the interval of polling where nothing can be watched, such as a socket without permission.
  /// - Throws: `Message` if there is another daemon in this session.
  init(
    loop: EventLoop, bus kind: Bus.Kind = .session, timeout: Duration = .milliseconds(500),
    retryAfter: Duration = .seconds(30), log: @escaping (String) -> Void = Console.log
  ) throws {
    self.loop = loop
    self.kind = kind
    self.retryAfter = retryAfter
    self.log = log
    retry = try loop.timer { [weak self] in self?.connectAgain() }
    do { try takeName(waiting: timeout) } catch let error as BusError { drop(error) }
  }

  /// - Parameter handle: receives the commands of users and programs.
  func start(_ handle: @escaping EventHandler) {
    self.handle = handle
    clockWatch = try? WallClockWatch(loop: loop) { [weak self] in self?.service?.updateTimes() }
    guard let bus else { return connectAgain() }
    do throws(BusError) { try join(bus) } catch { lose(error) }
  }

  func publish(_ status: Status) {
    self.status = status
    service?.publish(status)
  }

  /// The loop did not run for a while, so calls may be old.
  func recheckQueuedCalls() { bus?.recheckQueuedCalls() }

  func stop() {
    retry = nil
    clockWatch = nil
    leave()
  }

  // MARK: The connection

  private func takeName(waiting timeout: Duration) throws {
    let bus = try Bus(kind)
    self.bus = bus
    do {
      switch try bus.requestNameAndWait(ControlInterface.name, timeout: timeout) {
      case .owned: isNamed = true
      case .taken(let process): throw yielding(to: process)
      }
    } catch let error as BusError where error == kind.silence || error.isReplyTimeout {
      // A bus that does not answer is asked again in the loop.
    }
  }

  private func join(_ bus: Bus) throws(BusError) {
    self.bus = bus
    try bus.attach(to: loop)
    try offer(on: bus)
    bus.onSilent = { [weak self, kind] in self?.reportOnce(kind.silence) }
    guard !isNamed else { return serve(on: bus) }
    try bus.requestName(ControlInterface.name) { [weak self, weak bus] answer in
      guard let self, let bus, bus === self.bus else { return }
      switch answer {
      case .success(.owned): serve(on: bus)
      case .success(.taken(let process)): onTaken?(yielding(to: process))
      case .failure(let error): lose(error)
      }
    }
  }

  private func connectAgain() {
    do throws(BusError) { try join(Bus(kind, awaitsSocket: true)) } catch { lose(error, retryAfter) }
  }

  /// Leaves the name to another daemon.
  private func yielding(to process: UInt32?) -> Message {
    leave()
    return .alreadyRunning(process, stop: "autorotate quit")
  }

  private func offer(on bus: Bus) throws(BusError) {
    guard let handle else { return }
    let service = try ControlService(bus: bus, handle: handle)
    onService?(service)
    service.onEnded = { [weak self] in
      self?.lose(BusError(BusError.disconnected, "the session bus has ended"))
    }
    if let status { service.publish(status) }
    offered = service
  }

  private func serve(on bus: Bus) {
    isNamed = true
    if let status { service?.publish(status) }
    if hasReported {
      hasReported = false
      log(localized("The session bus is back. Commands such as `autorotate status` work again."))
    }
    onBus?(bus)
  }

  private func lose(_ error: BusError, _ delay: Duration = Control.reconnectDelay) {
    drop(error)
    // Without an address there is nothing to retry: the environment cannot change.
    if kind.hasAddress { retry?.arm(at: EventLoop.now + min(delay, retryAfter).wholeNanoseconds) }
  }

  private func leave() {
    offered = nil
    isNamed = false
    bus?.close()
    bus = nil
  }

  /// Leaves a bus that cannot be used.
  private func drop(_ error: BusError) {
    leave()
    onBus?(nil)
    reportOnce(error)
  }

  /// Reported once until the bus is back.
  private func reportOnce(_ error: BusError) {
    guard !hasReported else { return }
    hasReported = true
    // Without an address the environment cannot change; else the bus is awaited.
    let step: Phrase =
      kind.hasAddress
      ? "they work again when the bus is back" : "set DBUS_SESSION_BUS_ADDRESS and restart autorotate"
    log(localized("Commands such as `autorotate status` do not work: \(error); \(step)."))
  }
}
