// SPDX-License-Identifier: MIT

package import Autorotation

/// Where accelerations come from.
///
/// A source starts asleep. While the demand is not `off` it reports `acceleration` (or `deviceTurned`)
/// with the time of the sample; it reports `sensorFound` when it has a sensor and `sensorLost` when it has
/// lost it (or could not find one), each once per change, and looks for a new one by itself.
package protocol SensorSource: AnyObject {
  /// Starts looking for the sensor. Events arrive on the loop's thread, never from within this call.
  func start(_ report: @escaping (Event, Instant) -> Void) throws

  func demand(_ demand: SensorDemand)

  /// Checks that its sensor still works: the machine has slept, and its sensors too.
  func lookAgain()

  /// Starts or ends to report what the hinge makes of the device, as measured between display and base. Where that
  /// cannot be, nothing is reported.
  func watchHinge(_ watch: HingeWatch, _ report: @escaping (HingeWord) -> Void)

  /// Releases the sensor, and reports nothing more.
  func stop()
}

extension SensorSource {
  package func watchHinge(_ watch: HingeWatch, _ report: @escaping (HingeWord) -> Void) {}
  package func lookAgain() {}
}

/// A source that tells programs, too, why it has no sensor.
protocol FallibleSource: SensorSource {
  /// What the last `sensorLost` was about; `nil` while there is a sensor.
  var failure: Message? { get }
}
