// SPDX-License-Identifier: MIT

import Autorotation

/// Maps the readings of one of the two accelerometers of a hinge to the frame in which `HingeAngle` compares them.
///
/// That frame is the one of udev's hardware database (the head of 60-sensor.hwdb): after the mount matrices, base and
/// display read the same with the lid closed. Sensors with a location or a matrix from udev are in it, and a base with
/// one from the settings: `autorotate calibrate --base` measures it with the device folded back,
/// where both read the same, too.
///
/// Without udev, only ChromeOS documents what its readings mean. Its embedded controller and the kernel's cros_ec
/// drivers, which label the sensors accel-display and accel-base, use Android's frame for each part: x right, y away
/// from the user, z up out of screen or keyboard, and the reading is opposite to gravity. There base and display read
/// the same when the device is opened flat (motion_lid.c of the controller: "180 instead of 0 when lid and base are
/// flat"; 60-sensor.hwdb confirms it where it rotates cros-ec's base).
/// Labels of other drivers are assumed to mean the same zero.
///
/// z may have either sign: matrices are written by trying the screen rotation, for which z does not matter. A chip
/// measures the opposite of gravity in a right-handed frame, a HID sensor gravity itself, so the sign of z follows from
/// the determinant of the matrix.
nonisolated struct HingeFrame: Equatable {
  /// What each axis is multiplied by.
  private let signs: SIMD3<Double>

  init(of sensor: MountedAccelerometer) {
    let own: SIMD3<Double> =
      sensor.hasAndroidFrame ? [-1, -1, 1] : sensor.isNegativeFaceUp ? [1, 1, -1] : [1, 1, 1]
    let isOpposite = sensor.place == .base && !sensor.hasFrameOfUdev
    signs = isOpposite ? own * SIMD3(1, -1, -1) : own
  }

  func callAsFunction(_ a: Acceleration) -> Acceleration { signs * a }

  /// Whether one of two matrices from udev mirrors and the other does not, so that one of them is wrong.
  static func areOfOppositeHandedness(_ display: MountedAccelerometer, _ base: MountedAccelerometer) -> Bool {
    [display, base].allSatisfy { $0.mount.origin == .udev }
      && display.isNegativeFaceUp != base.isNegativeFaceUp
  }
}

/// An accelerometer of the display or the base, as it is chosen and mounted.
nonisolated struct MountedAccelerometer: Equatable, Sendable {
  var place: AccelerometerCandidate.Place
  /// Its name in the kernel: "iio:device0".
  var id: String
  /// Shown to the user: "accel_3d (iio:device0)".
  var title: String
  /// Of the driver: "cros-ec-accel", "accel_3d".
  var name: String?
  var isLocatedByUdev = false
  var mount: MountMatrixChoice

  fileprivate var hasAndroidFrame: Bool { mount.origin == .none && name?.hasPrefix("cros-ec") == true }
  fileprivate var hasFrameOfUdev: Bool { isLocatedByUdev || [.udev, .settings].contains(mount.origin) }
  /// Whether z is below zero while the screen faces up, if x and y are right.
  fileprivate var isNegativeFaceUp: Bool { (mount.matrix.determinant < 0) != (name == "accel_3d") }
}

nonisolated extension MountedAccelerometer {
  /// - Parameter settings: their matrix overrides that of the system.
  init(_ place: AccelerometerCandidate.Place, _ device: IIODevice, _ settings: AccelerometerSettings) {
    let candidate = device.candidate
    let override = place == .display ? settings.mountMatrix : settings.baseMountMatrix
    self.init(
      place: place, id: candidate.id, title: candidate.title, name: candidate.name,
      isLocatedByUdev: candidate.udevLocation != nil,
      mount: .choose(override: override, from: device.mountMatrices()))
  }
}
