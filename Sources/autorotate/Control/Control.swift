// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The daemon's presence on the session bus. Without a bus, or with one that does not answer, the picture turns all the
/// same.
///
/// We wait for a missing bus at its socket, and for one that does not answer at its connection, without waking up. Only
/// what neither reports is polled from time to time.
///
/// A bus that starts the daemon for a call delivers that call before it answers that the name is ours. So whenever
/// messages are handled the object is there already: the name is first asked for without the loop, which begins with
/// `start`, and later only once the object is offered.
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
  private var handle: EventHandler?
  private var explain: ((String?, Bool) -> Explanation)?
  /// Asked for `ListWindows`; to be set before `start`.
  var windows: (() -> ([Explanation], isComplete: Bool))?
  /// What there is to choose from; to be set before `start`.
  var choices: ((Choice) -> [String])?
  private var bus: Bus?
  /// What the name will make known.
  private var offered: ControlService?
  private var isNamed = false
  private var taken: Message?
  private var service: ControlService?
  private var status: Status?
  private var retry: EventTimer?
  private var clockWatch: WallClockWatch?
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
      try takeName(waiting: patience)
    } catch {
      leave()
      miss(error)
    }
    if let taken { throw taken }
  }

  /// - Parameters:
  ///   - explain: answers the question why.
  ///   - handle: takes the commands of people and programs.
  func start(explain: ((String?, Bool) -> Explanation)? = nil, _ handle: @escaping EventHandler) {
    self.handle = handle
    self.explain = explain
    clockWatch = try? WallClockWatch(loop: loop) { [weak self] in self?.service?.updateTimes() }
    guard let bus else { return connectAgain() }
    do throws(BusError) { try join(bus) } catch { lose(error) }
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

  /// The loop did not run for a while, so calls may be old.
  func catchUp() {
    bus?.catchUp()
  }

  func stop() {
    retry = nil
    clockWatch = nil
    leave()
  }

  // MARK: The connection

  private func takeName(waiting patience: Duration) throws(BusError) {
    let bus = try Bus(kind)
    self.bus = bus
    do throws(BusError) {
      switch try bus.requestNameAndWait(ControlInterface.name, timeout: patience) {
      case .owned: isNamed = true
      case .taken(let process): give(wayTo: process)
      }
    } catch {
      // One that says nothing is asked again, and waited for in the loop.
      guard error == kind.silence || error.isSilence else { throw error }
    }
  }

  private func join(_ bus: Bus) throws(BusError) {
    self.bus = bus
    try bus.attach(to: loop)
    try offer(on: bus)
    bus.onSilent = { [weak self, kind] in self?.complainOnce(kind.silence) }
    guard !isNamed else { return serve(on: bus) }
    try bus.requestName(ControlInterface.name) { [weak self, weak bus] answer in
      guard let self, let bus, bus === self.bus else { return }
      note(answer, of: bus)
    }
  }

  private func connectAgain() {
    do throws(BusError) {
      try join(Bus(kind, awaitsSocket: true))
    } catch {
      leave()
      miss(error)
      // Our environment will not change any more.
      guard kind.hasAddress else { return }
      retry?.arm(at: EventLoop.now + retryAfter.wholeNanoseconds)
    }
  }

  private func note(_ answer: Result<NameOwnership, BusError>, of bus: Bus) {
    switch answer {
    case .success(.owned): serve(on: bus)
    case .success(.taken(let process)): give(wayTo: process)
    case .failure(let error): lose(error)
    }
  }

  private func give(wayTo process: UInt32?) {
    let taken = Message.alreadyRunning(process)
    self.taken = taken
    leave()
    onTaken?(taken)
  }

  private func offer(on bus: Bus) throws(BusError) {
    guard let handle else { return }
    let service = try ControlService(bus: bus, handle: handle)
    service.explain = explain
    service.windows = windows
    service.choices = choices
    service.onEnded = { [weak self] in self?.end() }
    if let status { service.publish(status) }
    offered = service
  }

  private func serve(on bus: Bus) {
    isNamed = true
    service = offered
    if let status { service?.publish(status) }
    if hasComplained {
      hasComplained = false
      complain(localized("The session bus is back, and with it --lock, --status and the like."))
    }
    onBus?(bus)
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
    offered = nil
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
