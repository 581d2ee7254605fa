// SPDX-License-Identifier: MIT

package import Autorotation
import Language
import System

/// The bus interface of iio-sensor-proxy: its owner, its properties, and its three methods.
///
/// Replies of a former owner are dropped.
final class ProxyClient {
  enum Update {
    case owner(String?)
    case changed([String: Value])
    /// The bus does not answer; the next `owner` ends that.
    case silent(BusError)
    /// The bus has ended.
    case ended
  }

  nonisolated static let target = BusTarget(
    service: "net.hadess.SensorProxy", path: "/net/hadess/SensorProxy", interface: "net.hadess.SensorProxy")
  /// It replies in a millisecond unless it hangs.
  nonisolated private static let timeout = Duration.seconds(5)
  /// Since 3.6 it replies to a claim after the first reading, or never if the sensor delivers nothing.
  nonisolated private static let claimTimeout = Duration.seconds(25)

  private let bus: Bus
  private let report: (Update) -> Void
  private var subscriptions: [Subscription] = []
  private(set) var owner: String?

  /// - Parameters:
  ///   - awaitsSocket: whether to wait for a bus that is not there.
  ///   - report: called from the loop, never from within a call of this.
  init(
    _ kind: Bus.Kind, awaitsSocket: Bool = false, loop: EventLoop, _ report: @escaping (Update) -> Void
  ) throws(BusError) {
    bus = try Bus(kind, awaitsSocket: awaitsSocket)
    self.report = report
    try bus.attach(to: loop)
    bus.onSilent = { report(.silent(kind.silence)) }
    bus.onClosed = { report(.ended) }
    subscriptions = [
      try bus.matchChanges(of: Self.target) { changed, _ in report(.changed(changed)) },
      try bus.watchName(Self.target.service) { [weak self] in self?.setOwner($0) },
    ]
  }

  /// The claim ends with the connection.
  func close() {
    subscriptions = []
    bus.close()
  }

  /// Claims the accelerometer. Claiming it again changes nothing.
  func claim(_ completion: @escaping (Result<[Value], BusError>) -> Void) throws(BusError) {
    try call(Self.target, "ClaimAccelerometer", [], Self.claimTimeout, completion)
  }

  func release() { try? call(Self.target, "ReleaseAccelerometer", [], Self.timeout) { _ in } }

  func readProperties(_ completion: @escaping (Result<[String: Value], BusError>) -> Void) throws(BusError) {
    let name = Value.string(Self.target.interface)
    try call(Self.target.properties, "GetAll", [name], Self.timeout) { answer in
      completion(answer.flatMap { values in Result { () throws(BusError) in try values.read(0) } })
    }
  }

  private func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value], _ timeout: Duration,
    _ completion: @escaping (Result<[Value], BusError>) -> Void
  ) throws(BusError) {
    guard let owner else { return }
    try bus.call(target, member, arguments, timeout: timeout) { [weak self] answer in
      if self?.owner == owner { completion(answer) }
    }
  }

  private func setOwner(_ owner: String?) {
    self.owner = owner
    report(.owner(owner))
  }
}

/// The valid properties of iio-sensor-proxy.
nonisolated struct ProxyProperties: Equatable {
  /// `nil` if unknown.
  private(set) var hasAccelerometer: Bool?
  private var orientationText: String?
  private var tiltText: String?

  init(_ values: [String: Value] = [:]) {
    update(with: values)
  }

  /// A changed property of a wrong type becomes unknown.
  mutating func update(with values: [String: Value]) {
    if let value = values["HasAccelerometer"] { hasAccelerometer = try? value.read() }
    if let value = values["AccelerometerOrientation"] { orientationText = try? value.read() }
    if let value = values["AccelerometerTilt"] { tiltText = try? value.read() }
  }

  static func containOrientation(_ values: [String: Value]) -> Bool {
    values["AccelerometerOrientation"] != nil || values["AccelerometerTilt"] != nil
  }

  /// Whether there is an orientation, possibly "undefined".
  var isComplete: Bool { hasAccelerometer == true && orientationText != nil }

  /// Since 3.6, which added the tilt, the reply to a claim comes after the first reading. Before, the
  /// value of the last claim stays for 0.7 s.
  var isFreshAfterClaim: Bool { tiltText != nil }

  /// Its tilts in which no edge is up: within 20° of flat.
  private static let flat: [DeviceOrientation] = [.faceUp, .faceDown]

  /// `nil` if undefined.
  var orientation: DeviceOrientation? {
    Self.flat.first { $0.rawValue == tiltText }
      ?? DeviceOrientation.upright.first { $0.rawValue == orientationText }
  }
}

/// iio-sensor-proxy on the system bus.
nonisolated package enum SensorProxyState: Equatable {
  case absent(isInstalled: Bool)
  case running(process: UInt32?, hasAccelerometer: Bool)
  /// The bus cannot be reached, for this reason.
  case unknown(Phrase)

  /// Reads a property without claiming the sensor, so that no sensor starts. Blocks.
  @MainActor
  package static func current() -> Self {
    let target = ProxyClient.target
    do throws(BusError) {
      let bus = try Bus(.system)
      let hasAccelerometer: Bool? = try bus.property("HasAccelerometer", of: target)
      return .running(process: bus.processID(of: target.service), hasAccelerometer: hasAccelerometer ?? false)
    } catch {
      return error.isServiceMissing
        ? .absent(isInstalled: isInstalled) : .unknown(Phrase("its state is unknown: \(error)"))
    }
  }

  /// It is not in PATH, and distributions install it and its unit in different places.
  private static var isInstalled: Bool {
    let directories = ["/usr/libexec", "/usr/lib/iio-sensor-proxy", "/usr/lib", "/usr/sbin"]
    let units = ["/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system"]
    let places = directories.map { "\($0)/iio-sensor-proxy" } + units.map { "\($0)/iio-sensor-proxy.service" }
    return places.contains { SystemFile.isFile($0) }
  }
}
