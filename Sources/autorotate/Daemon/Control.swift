// SPDX-License-Identifier: MIT

import Autorotation
import SystemBus

/// Keeps the daemon's service on the session bus. Without a bus the daemon turns all the same; only lock and
/// status are out of reach, which is said once, and healed when a bus is there again.
@MainActor
final class Control {
  /// Looking for a bus costs a wake-up, so it is done ever more seldom.
  private static let firstRetry = Duration.seconds(2)
  private static let lastRetry = Duration.seconds(120)

  private let loop: EventLoop
  private var post: (Event) -> Void = { _ in }
  private var service: ControlService?
  private var retryTimer: EventTimer?
  private var retryAfter = firstRetry
  private var hasComplained = false
  private var status: Status?

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// - Throws: `Failure` if another daemon has the name.
  func start(_ post: @escaping (Event) -> Void) throws {
    self.post = post
    retryTimer = try loop.timer { [unowned self] in retry() }
    try offer()
  }

  func stop() {
    retryTimer?.cancel()
    service?.onEnded = nil
    service = nil
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

  private func offer() throws {
    do {
      let bus = try Bus(.session)
      try bus.attach(to: loop)
      let service = try ControlService(bus: bus) { [unowned self] event in post(event) }
      try service.claimName()
      adopt(service)
    } catch let error as BusError {
      complain("\(error)")
      retryLater()
    }
  }

  private func adopt(_ service: ControlService) {
    service.onEnded = { [unowned self] in lost() }
    self.service = service
    retryAfter = Self.firstRetry
    hasComplained = false
    if let status { service.publish(status) }
  }

  private func lost() {
    service = nil
    complain("it has ended")
    retryLater()
  }

  private func complain(_ reason: String) {
    guard !hasComplained else { return }
    hasComplained = true
    Console.complain(
      "No session bus (\(reason)): the picture turns, but lock and status cannot be reached until there is one.")
  }

  private func retryLater() {
    retryTimer?.arm(at: EventLoop.now + retryAfter.wholeNanoseconds)
    retryAfter = min(retryAfter * 2, Self.lastRetry)
  }

  private func retry() {
    do {
      try offer()
    } catch {
      // Another daemon came up meanwhile; two would fight over the picture.
      Console.complain("\(error)")
      loop.exit(ExitStatus.failed.rawValue)
    }
  }
}
