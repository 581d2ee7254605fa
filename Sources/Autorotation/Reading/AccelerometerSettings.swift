// SPDX-License-Identifier: MIT

/// How the accelerometers are chosen and read, and the angle of the hinge is interpreted.
package struct AccelerometerSettings: Equatable, Sendable {
  /// The accelerometer of the display: its name, its label, or its name in the kernel, such as "iio:device1". `*` and `?`
  /// match any text and any character. `nil` for the one that the system reports in the display.
  package var device: String?
  /// Of the display's accelerometer; `nil` for that of the system.
  package var mountMatrix: MountMatrix?
  /// Of the accelerometer in the base; `nil` for that of the system.
  package var baseMountMatrix: MountMatrix?
  /// Samples per second while the device may be rotating, 4 to 100; `nil` for as many as the classifier needs.
  package var rate: Double?
  /// Whether a gyroscope that rotates with the accelerometer is also read.
  package var usesGyroscope = true
  /// Degrees of the hinge: up to the first the device is a laptop, from the second a tablet. The defaults are those of
  /// ChromeOS.
  package var hingeAngles = 160...200
  /// Whether the accelerometer of the base is read in place of the display's, to calibrate it.
  package var readsBase = false

  package init() {}

  package static let rates = 4.0...100.0
  /// Degrees. Beyond these, a hinge may be closed or folded back.
  package static let unambiguousHingeAngles = 20.0...340.0
}
