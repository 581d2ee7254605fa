// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The daemon's presence on the session bus. Without a bus, or with one that does not answer, the picture turns all the
/// same.
///
/// We wait for a missing bus at its socket, and for one that does not answer at its connection, without waking up. Only
/// what neither reports is polled from time to time.
@MainActor final class Control {
  /// Until a bus that has ended is looked for, so that one that ends again and again keeps nobody busy.
  private static let breath = Duration.seconds(1)

  private let loop: EventLoop
  private let kind: Bus.Kind
  private let retryAfter: Duration
  private let complain: (String) -> Void
  /// Told of the bus that there is, and of its end (`nil`); to be set before `start`.
  var onBus: ((Bus?) -> Void)?
  /// Told that another daemon has the name, after which this one is not to go on; to be set before `start`.
  var onTaken: ((Message) -> Void)?
  private var handle: ((Event) -> Message?)?
  private var explain: ((String?, Bool) -> Explanation)?
  /// Asked for `ListWindows`; to be set before `start`.
  var windows: (() -> ([Explanation], isComplete: Bool))?
  /// What there is to choose from; to be set before `start`.
  var choices: ((Choice) -> [String])?
  private var bus: Bus?
  private var isNamed = false
  private var taken: Message?
  private var service: ControlService?
  private var status: Status?
  private var retry: EventTimer?
  private var hasComplained = false

  /// Asks for the daemon's name, and answers nobody before `start`.
  /// - Parameters:
  ///   - patience: how long the bus has to answer before the daemon starts without it. It answers in a
  ///     millisecond, and a second daemon in the session should not begin to turn the picture.
  ///   - retryAfter: until what nothing tells of is tried again, such as a socket that may not be opened.
  /// - Throws: `Message` if there is another daemon in this session.
  init(
    loop: EventLoop, bus kind: Bus.Kind = .session, patience: Duration = .milliseconds(500),
    retryAfter: Duration = .seconds(30), complain: @escaping (String) -> Void = Console.complain
  ) throws {
    self.loop = loop
    self.kind = kind
    self.retryAfter = retryAfter
    self.complain = complain
    retry = try loop.timer { [weak self] in self?.connectAgain() }
    do throws(BusError) {
      try connect()
      try? awaitName(until: EventLoop.now + patience.wholeNanoseconds)
    } catch {
      miss(error)
      connectAgain()
    }
    if let taken { throw taken }
  }

  /// - Parameters:
  ///   - explain: answers the question why.
  ///   - handle: takes the commands of people and programs, and returns why one is refused.
  func start(
    explain: ((String?, Bool) -> Explanation)? = nil, _ handle: @escaping (Event) -> Message?
  ) {
    self.handle = handle
    self.explain = explain
    serve()
  }

  func publish(_ status: Status) {
    self.status = status
    service?.publish(status)
  }

  func postureChanged(from before: Posture, to now: Posture) {
    service?.postureChanged(from: before, to: now)
  }

  func willRotate(_ rotation: Rotation) {
    service?.willRotate(rotation)
  }

  func didRotate(_ rotation: Rotation) {
    service?.didRotate(rotation)
  }

  func stop() {
    retry = nil
    leave()
  }

  // MARK: The connection

  private func connect(awaitsSocket: Bool = false) throws(BusError) {
    let bus = try Bus(kind, awaitsSocket: awaitsSocket)
    try bus.attach(to: loop)
    bus.onClosed = { [weak self] in self?.end() }
    bus.onSilent = { [weak self, kind] in self?.complainOnce(kind.silence) }
    try bus.requestName(ControlInterface.name) { [weak self, weak bus] answer in
      guard let self, let bus, bus === self.bus else { return }
      note(answer)
    }
    self.bus = bus
  }

  private func connectAgain() {
    do throws(BusError) {
      try connect(awaitsSocket: true)
    } catch {
      miss(error)
      // Our environment will not change any more.
      guard kind.hasAddress else { return }
      retry?.arm(at: EventLoop.now + retryAfter.wholeNanoseconds)
    }
  }

  private func awaitName(until end: Int64) throws {
    while bus != nil, !isNamed, taken == nil {
      let left = end - EventLoop.now
      guard left > 0 else { return }
      try loop.runOnce(timeoutNanoseconds: left)
    }
  }

  private func note(_ answer: Result<NameOwnership, BusError>) {
    switch answer {
    case .success(.owned):
      isNamed = true
      serve()
    case .success(.taken(let process)):
      let taken = Message.alreadyRunning(process)
      self.taken = taken
      leave()
      onTaken?(taken)
    case .failure(let error):
      lose(error)
    }
  }

  private func serve() {
    guard isNamed, let bus, let handle else { return }
    do throws(BusError) {
      let service = try ControlService(bus: bus, handle: handle)
      service.explain = explain
      service.windows = windows
      service.choices = choices
      service.onEnded = { [weak self] in self?.end() }
      if let status { service.publish(status) }
      self.service = service
      if hasComplained {
        hasComplained = false
        complain(localized("The session bus is back, and with it --lock, --status and the like."))
      }
      onBus?(bus)
    } catch {
      lose(error)
    }
  }

  private func end() {
    lose(BusError(BusError.disconnected, "the session bus has ended"))
  }

  private func lose(_ error: BusError) {
    leave()
    miss(error)
    retry?.arm(at: EventLoop.now + min(Self.breath, retryAfter).wholeNanoseconds)
  }

  private func leave() {
    service = nil
    isNamed = false
    bus?.close()
    bus = nil
  }

  private func miss(_ error: BusError) {
    onBus?(nil)
    complainOnce(error)
  }

  /// Reported once, then waited for quietly.
  private func complainOnce(_ error: BusError) {
    guard !hasComplained else { return }
    hasComplained = true
    complain(localized("The picture turns, but --lock, --status and the like do not work: \(error)."))
  }
}
