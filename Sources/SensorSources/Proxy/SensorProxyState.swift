// SPDX-License-Identifier: MIT

package import Autorotation
import Language
import System

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
