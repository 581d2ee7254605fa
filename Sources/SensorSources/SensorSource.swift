// SPDX-License-Identifier: MIT

package import Autorotation

/// A source of device motion or orientation.
///
/// A source starts without a demand. While the demand is not `off` it reports `motion` or `deviceRotated`
/// with the time of the sample; it reports `sensorFound` when it has a sensor and `sensorLost` when it has
/// lost it (or could not find one), each once per change, and searches for a new one automatically.
package protocol SensorSource: AnyObject {
  /// Starts searching for the sensor. Events arrive on the loop's thread, never from within this call.
  func start(_ report: @escaping (Event, Instant) -> Void) throws

  func demand(_ demand: SensorDemand)

  /// Checks that its sensor still works, after the machine and its sensors were suspended.
  func recheck()

  /// Starts or stops reporting the posture measured between display and base, as `hingeChanged`. Without a
  /// hinge sensor or a second accelerometer, nothing is reported.
  func watchHinge(_ watch: HingeWatch)

  /// Releases the sensor, and reports nothing more.
  func stop()
}

extension SensorSource {
  package func watchHinge(_ watch: HingeWatch) {}
  package func recheck() {}
}
