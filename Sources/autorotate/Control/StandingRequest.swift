// SPDX-License-Identifier: MIT

import System

/// A request for some orientations that lasts as long as its bus, across restarts of the daemon.
@MainActor final class StandingRequest {
  private let bus: Bus
  private let arguments: [Value]
  private let tell: (Result<Void, Failure>) -> Void
  private var watch: Subscription?

  /// - Parameters:
  ///   - bus: attached to a loop that will run, and used for nothing else: the request ends with it.
  ///   - mask: words of `OrientationWord`.
  ///   - tell: called with each answer of a daemon, and when there is none (any more).
  init(
    bus: Bus, mask: [String], application: String, why: String,
    tell: @escaping (Result<Void, Failure>) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.tell = tell
    arguments = [.strings(mask), .string(application), .string(why)]
    watch = try bus.watchName(ControlInterface.name) { [weak self] owner in self?.noteOwner(owner) }
  }

  private func noteOwner(_ owner: String?) {
    guard owner != nil else { return tell(.failure(.notRunning)) }
    do throws(BusError) {
      try bus.call(ControlInterface.target, "Request", arguments, startsService: false) { [tell] answer in
        tell(answer.map { _ in }.mapError(ControlClient.failure))
      }
    } catch {
      tell(.failure(ControlClient.failure(error)))
    }
  }
}
