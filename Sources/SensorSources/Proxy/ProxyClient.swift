// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The bus interface of iio-sensor-proxy: its owner, its properties, and its three methods.
///
/// Answers of an owner that has gone are dropped.
final class ProxyClient {
  enum News {
    case owner(String?)
    case changed([String: Value])
    /// The bus does not answer, until it tells of an owner.
    case silent(BusError)
    /// The bus has ended.
    case ended
  }

  nonisolated private static let target = BusTarget(
    service: "net.hadess.SensorProxy", path: "/net/hadess/SensorProxy", interface: "net.hadess.SensorProxy")
  /// It answers in a millisecond unless it is stuck.
  nonisolated private static let patience = Duration.seconds(5)
  /// From 3.6 on it answers a claim after the first reading, or (of a sensor without data) never.
  nonisolated private static let patienceWithClaim = Duration.seconds(25)

  private let bus: Bus
  private let tell: (News) -> Void
  private var subscriptions: [Subscription] = []
  private(set) var owner: String?

  /// - Parameters:
  ///   - awaitsSocket: whether a bus that is not there is waited for.
  ///   - tell: called from the loop, never from within a call of this.
  init(
    _ kind: Bus.Kind, awaitsSocket: Bool = false, loop: EventLoop, _ tell: @escaping (News) -> Void
  ) throws(BusError) {
    bus = try Bus(kind, awaitsSocket: awaitsSocket)
    self.tell = tell
    try bus.attach(to: loop)
    bus.onSilent = { tell(.silent(kind.silence)) }
    bus.onClosed = { tell(.ended) }
    let changes = SignalRule(
      Self.target.properties, "PropertiesChanged", firstArgument: Self.target.interface)
    subscriptions = [
      try bus.match(changes) { [weak self] in self?.receive($0) },
      try bus.watchName(Self.target.service) { [weak self] in self?.adopt($0) },
    ]
  }

  /// The claim ends with the connection.
  func close() {
    subscriptions = []
    bus.close()
  }

  /// Claims the accelerometer. Claiming it again changes nothing.
  func claim(_ completion: @escaping (Result<[Value], BusError>) -> Void) throws(BusError) {
    try ask(Self.target, "ClaimAccelerometer", [], Self.patienceWithClaim, completion)
  }

  func release() {
    try? ask(Self.target, "ReleaseAccelerometer", [], Self.patience) { _ in }
  }

  func readProperties(
    _ completion: @escaping (Result<[String: Value], BusError>) -> Void
  ) throws(BusError) {
    let name = Value.string(Self.target.interface)
    try ask(Self.target.properties, "GetAll", [name], Self.patience) { answer in
      completion(answer.flatMap { values in Result { () throws(BusError) in try values.read(0) } })
    }
  }

  private func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value], _ timeout: Duration,
    _ completion: @escaping (Result<[Value], BusError>) -> Void
  ) throws(BusError) {
    guard let owner else { return }
    try bus.call(target, member, arguments, timeout: timeout, startsService: false) { [weak self] answer in
      if self?.owner == owner { completion(answer) }
    }
  }

  private func adopt(_ owner: String?) {
    self.owner = owner
    tell(.owner(owner))
  }

  private func receive(_ signal: BusMessage) {
    guard let changed: [String: Value] = try? signal.arguments().read(1) else { return }
    tell(.changed(changed))
  }
}

/// The properties of iio-sensor-proxy, as far as they can be understood.
nonisolated struct ProxyProperties: Equatable {
  /// `nil` if it does not say.
  private(set) var hasAccelerometer: Bool?
  private var orientationWord: String?
  private var tiltWord: String?

  init(_ values: [String: Value] = [:]) {
    take(values)
  }

  /// Updates those that have changed. One of a wrong type is ignored.
  mutating func take(_ values: [String: Value]) {
    if let value = values["HasAccelerometer"] { hasAccelerometer = try? value.read() }
    if let value = values["AccelerometerOrientation"] { orientationWord = try? value.read() }
    if let value = values["AccelerometerTilt"] { tiltWord = try? value.read() }
  }

  static func speakOfOrientation(_ values: [String: Value]) -> Bool {
    values["AccelerometerOrientation"] != nil || values["AccelerometerTilt"] != nil
  }

  /// Whether there is an orientation to speak of, be it "undefined".
  var isComplete: Bool { hasAccelerometer == true && orientationWord != nil }

  /// Since 3.6, which brought the tilt, a claim is answered after the first reading. Before, the
  /// value of the last claim stays for 0.7 s.
  var isFreshAfterClaim: Bool { tiltWord != nil }

  /// `nil` where it is undefined.
  var orientation: DeviceOrientation? {
    tiltWord.flatMap(DeviceOrientation.init(tilt:)) ?? orientationWord.flatMap(DeviceOrientation.init(proxy:))
  }
}

nonisolated extension DeviceOrientation {
  fileprivate init?(proxy word: String) {
    switch word {
    case "normal": self = .normal
    case "left-up": self = .leftUp
    case "bottom-up": self = .bottomUp
    case "right-up": self = .rightUp
    default: return nil
    }
  }

  /// The tilts that leave it open which edge is up: within 20° of flat.
  fileprivate init?(tilt word: String) {
    switch word {
    case "face-up": self = .faceUp
    case "face-down": self = .faceDown
    default: return nil
    }
  }
}
