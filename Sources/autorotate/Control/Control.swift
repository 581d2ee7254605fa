// SPDX-License-Identifier: MIT

import Autorotation
import Language
import SystemBus

/// The daemon's place on the session bus, with or without one: where there is no bus the picture
/// turns all the same, and the bus is looked for from time to time.
@MainActor final class Control {
  private let loop: EventLoop
  private let kind: Bus.Kind
  private let retryAfter: Duration
  private let complain: (String) -> Void
  /// Told of the bus that there is, and of its end (`nil`); to be set before `start`.
  var onBus: ((Bus?) -> Void)?
  private var handle: ((Event) -> Phrase?)?
  private var explain: ((String?, Bool) -> Explanation)?
  private var bus: Bus?
  private var service: ControlService?
  private var status: Status?
  private var retry: EventTimer?
  private var hasComplained = false

  /// Takes the daemon's name, and answers nobody before `start`.
  /// - Throws: if there is another daemon in this session.
  init(
    loop: EventLoop, bus kind: Bus.Kind = .session, retryAfter: Duration = .seconds(30),
    complain: @escaping (String) -> Void = Console.complain
  ) throws {
    self.loop = loop
    self.kind = kind
    self.retryAfter = retryAfter
    self.complain = complain
    retry = try loop.timer { [weak self] in self?.connectAgain() }
    do {
      bus = try connect()
    } catch let error as BusError {
      miss(error)
    }
  }

  /// - Parameters:
  ///   - explain: answers the question why.
  ///   - handle: takes the commands of people and programs, and returns why one is refused.
  func start(
    explain: ((String?, Bool) -> Explanation)? = nil, _ handle: @escaping (Event) -> Phrase?
  ) {
    self.handle = handle
    self.explain = explain
    serve()
  }

  func publish(_ status: Status) {
    self.status = status
    service?.publish(status)
  }

  func willRotate(_ rotation: Rotation) {
    service?.willRotate(rotation)
  }

  func didRotate(_ rotation: Rotation) {
    service?.didRotate(rotation)
  }

  func stop() {
    retry = nil
    service = nil
    bus?.close()
    bus = nil
  }

  private func connect() throws -> Bus {
    let bus = try Bus(kind)
    try bus.attach(to: loop)
    try ControlService.claimName(on: bus)
    return bus
  }

  private func connectAgain() {
    do {
      bus = try connect()
    } catch {
      return miss(error)
    }
    hasComplained = false
    complain(localized("The session bus is back, and with it --lock, --status and the like."))
    serve()
  }

  private func serve() {
    guard let bus, let handle else { return }
    do throws(BusError) {
      let service = try ControlService(bus: bus, handle: handle)
      service.explain = explain
      service.onEnded = { [weak self] in
        self?.miss(BusError(BusError.disconnected, "the session bus has ended"))
      }
      if let status { service.publish(status) }
      self.service = service
      onBus?(bus)
    } catch {
      miss(error)
    }
  }

  /// Told once; then quietly tried again until there is a bus.
  private func miss(_ error: any Error) {
    service = nil
    bus = nil
    onBus?(nil)
    retry?.arm(at: EventLoop.now + retryAfter.wholeNanoseconds)
    guard !hasComplained else { return }
    hasComplained = true
    let reason = "\(error)"
    complain(localized("The picture turns, but --lock, --status and the like do not work: \(reason)."))
  }
}
