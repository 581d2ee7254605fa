// SPDX-License-Identifier: MIT

import Language
import PrivateBus
import System

@testable import Autorotation
@testable import autorotate

/// A service on a private bus, its received events, and a second connection to call it from.
@MainActor final class ControlHome {
  let home: PrivateBus
  let service: ControlService
  let bus: Bus
  private let record = Record()

  /// - Parameter wallClock: of the service, in nanoseconds since 1970.
  init(wallClock: @escaping () -> Int64 = { WallClock.now }) throws {
    home = try PrivateBus()
    bus = try home.connect()
    let own = try home.connect()
    service = try ControlService(bus: own, wallClock: wallClock) { [record] event, answer in
      record.events.append(event)
      answer(record.refusal)
    }
    _ = try own.requestName(ControlInterface.name)
  }

  var received: [Event] { record.events }

  /// The reason why each command is refused from now on.
  var refusal: Message? {
    get { record.refusal }
    set { record.refusal = newValue }
  }

  private final class Record {
    var events: [Event] = []
    var refusal: Message?
  }

  func answer(
    _ member: String, _ arguments: [Value] = [], of target: BusTarget = ControlInterface.target,
    from caller: Bus? = nil
  ) throws -> Result<[Value], BusError> {
    var result: Result<[Value], BusError>?
    try (caller ?? bus).call(target, member, arguments) { result = $0 }
    guard try home.run(until: { result != nil }), let result else {
      throw BusError(BusError.timeout, "\(member) was not answered")
    }
    return result
  }

  func errorName(_ member: String, _ arguments: [Value] = [], from caller: Bus? = nil) throws -> String? {
    guard case .failure(let error) = try answer(member, arguments, from: caller) else { return nil }
    return error.name
  }
}

extension Status {
  /// A status of which tests change one part.
  static var example: Status {
    Status(
      device: .leftUp, interface: .left, lock: nil, isPaused: false, allowed: .all, posture: .tablet,
      postureEvidence: [
        PostureReading(
          input: PostureInput(
            kind: .tabletSwitch, name: "Hinge", driver: "intel-hid", node: "/dev/input/event5"),
          posture: .tablet, isUsed: true)
      ],
      sensor: .found(name: "accel_3d", isAsleep: false), outputs: ["eDP-1"], application: "mpv",
      suggestion: nil, reasons: [.desktopAllows(.all), .upright(.leftUp)])
  }
}
