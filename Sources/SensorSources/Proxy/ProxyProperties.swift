// SPDX-License-Identifier: MIT

package import Autorotation
import System

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
    let target = SensorProxySource.target
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
