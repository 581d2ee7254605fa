// SPDX-License-Identifier: MIT

import PrivateBus
import System

/// A service that behaves like some version of iio-sensor-proxy, or worse.
@MainActor final class FakeProxy {
  enum Answer { case done, refused, never }

  private static let path = "/net/hadess/SensorProxy"
  private static let name = "net.hadess.SensorProxy"

  var hasAccelerometer = Value.bool(true)
  var orientation = Value.string("undefined")
  var answer = Answer.done
  private(set) var claims = 0
  private(set) var isClaimed = false
  private(set) var releases = 0
  /// How often its properties were read.
  private(set) var reads = 0
  /// Called when it is claimed, before the answer.
  var onClaim: () -> Void = {}
  /// Called after the reply to the claim.
  var afterClaim: () -> Void = {}
  private let bus: Bus
  private var exported: ExportedInterface?
  private var pending: [MethodCall] = []

  /// - Parameters:
  ///   - types: of the properties; `nil` for a missing one.
  ///   - queues: whether it gets the name when the present owner ends.
  init(
    on privateBus: PrivateBus, types: (accelerometer: String?, orientation: String?) = ("b", "s"),
    tilt: String? = nil, queues: Bool = false
  ) throws {
    bus = try privateBus.connect()
    let properties: [BusProperty?] = [
      types.accelerometer.map { ("HasAccelerometer", $0, { [unowned self] in readPresence() }) },
      types.orientation.map { ("AccelerometerOrientation", $0, { [unowned self] in orientation }) },
      tilt.map { tilt in ("AccelerometerTilt", "s", { .string(tilt) }) },
    ]
    let methods = [
      BusMethod.later("ClaimAccelerometer", { [unowned self] in claim($0) }),
      BusMethod("ReleaseAccelerometer") { [unowned self] _ in
        isClaimed = false
        releases += 1
        return []
      },
    ]
    exported = try bus.export(
      BusInterface(name: Self.name, methods: methods, properties: properties.compactMap { $0 }), at: Self.path
    )
    if queues {
      _ = try bus.callAndWait(.driver, "RequestName", [.string(Self.name), .uint32(0)])
    } else {
      _ = try bus.requestName(Self.name)
    }
  }

  private func claim(_ call: MethodCall) {
    claims += 1
    onClaim()
    switch answer {
    case .done:
      isClaimed = true
      call.reply()
      afterClaim()
    case .refused:
      call.fail(BusError("org.freedesktop.DBus.Error.AccessDenied", "Not Authorized: claim-sensor"))
    case .never: pending.append(call)
    }
  }

  private func readPresence() -> Value {
    reads += 1
    return hasAccelerometer
  }

  /// Replies to the claims that it has left without a reply.
  func grantPendingClaims() {
    isClaimed = true
    for call in pending { call.reply() }
    pending = []
  }

  /// Sends a signal with an orientation.
  func send(_ text: String) throws {
    orientation = .string(text)
    try exported?.emitPropertiesChanged(["AccelerometerOrientation"])
  }

  func sendPresence(_ has: Bool) throws {
    hasAccelerometer = .bool(has)
    try exported?.emitPropertiesChanged(["HasAccelerometer"])
  }

  /// Drops the claim silently, as a real one does when its sensor reappears.
  func dropClaims() {
    isClaimed = false
  }

  func end() {
    pending = []
    bus.close()
  }
}
