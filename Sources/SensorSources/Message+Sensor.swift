// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import System

// The reasons why there is no reading, and the next steps.

/// - Parameter code: an errno.
nonisolated private func errorText(_ code: Int32) -> String { SystemError(call: "", code: code).reason }

/// Of the accelerometer itself.
nonisolated extension Message {
  /// The kernel has none.
  static let noAccelerometer = Self(.sensorNone, "no accelerometer found", next: "see `autorotate doctor`")

  /// The kernel has one that cannot be used.
  static func unusable(_ reason: Phrase, next: Phrase? = nil) -> Self {
    Self(.sensorUnusable, "no accelerometer of a display: \(reason)", next: next)
  }

  static let noAccelerometerInBase = Self(
    .sensorNone, "no accelerometer in the base found",
    next: "if there are two, name that of the display with device under [sensor]; autorotate doctor lists "
      + "them")

  /// - Parameter name: from the settings.
  static func missingAccelerometer(_ name: String, instead: String, of all: [String]) -> Self {
    let there = all.joined(separator: ", ")
    return Self(
      .sensorDeviceMissing, "no accelerometer is called “\(name)” (available: \(there))",
      next: "check device under [sensor]; until it appears, \(instead) is used")
  }

  /// - Parameter base: the accelerometer of the base.
  static func contradictoryHingeMatrices(_ base: String) -> Self {
    Self(
      .postureUnknown,
      "the angle of the hinge is not measured: udev's mount matrices for the display and for "
        + "\(base) in the base contradict each other (one mirrors, the other does not)",
      next: "correct ACCEL_MOUNT_MATRIX of one of them in udev's hwdb (see 60-sensor.hwdb)")
  }

  /// - Parameter reason: of the dynamic linker.
  static func unloadable(reason: Phrase) -> Self {
    Self(
      .sensorUnusable, "the library for sensors cannot be loaded (\(reason))",
      next: "install libiio: the package libiio0 of Debian and Ubuntu, libiio of Fedora and Arch")
  }

  /// A call of libiio failed.
  /// - Parameter code: an errno.
  static func unreadable(_ sensor: String, code: Int32) -> Self {
    let kind: Code =
      switch code {
      case EBUSY: .sensorBusy
      case EACCES, EPERM: .sensorRefused
      case ENODEV, ENOENT, ENXIO: .sensorRemoved
      default: .sensorNotReadable
      }
    return Self(
      kind, "the accelerometer \(sensor) cannot be read (\(errorText(code)))", next: next(after: kind))
  }

  private static func next(after kind: Code) -> Phrase {
    switch kind {
    case .sensorBusy:
      "another program is using it (iio-sensor-proxy does for some desktops); close that "
        + "program, and reading resumes automatically"
    case .sensorRefused: "allow your user to read its files in /sys/bus/iio/devices with a udev rule"
    case .sensorRemoved: "it is used again as soon as it is back"
    default: "it is retried automatically; if that does not help, suspend and resume, or check `sudo dmesg`"
    }
  }

  /// An attribute holds this text instead of a usable number.
  static func invalidValue(_ text: String, in attribute: String, of sensor: String) -> Self {
    Self(
      .sensorInvalidValues,
      "the accelerometer \(sensor) cannot be used: its \(attribute) is \"\(text)\" instead of a "
        + "usable number",
      next: "this is a bug in its driver; please report it to linux-iio@vger.kernel.org")
  }

  /// A read does not return.
  static func silentAccelerometer(_ sensor: String, seconds: Int) -> Self {
    Self(
      .sensorNotAnswering, "the accelerometer \(sensor) has not answered for \(seconds) s",
      next: "if this continues, suspend and resume, or reload its driver")
  }

  /// Whether the end of the failure must be polled for: udev reports only new sensors and drivers.
  var needsPolling: Bool { ![.sensorNone, .sensorUnusable, .sensorInvalidValues].contains(code) }
}

nonisolated extension AxisFault {
  func message(ofAccelerometer title: String) -> Message {
    switch self {
    case .unreadable(let code): .unreadable(title, code: code)
    case .invalidValue(let text, let attribute): .invalidValue(text, in: attribute, of: title)
    }
  }

  /// - Returns: `nil` if the gyroscope is gone, which is no fault: rotation works without one.
  func message(ofGyroscope title: String) -> Message? {
    switch self {
    case .unreadable(ENODEV), .unreadable(ENOENT), .unreadable(ENXIO): nil
    case .unreadable(let code):
      .unusableGyroscope("the gyroscope \(title) cannot be read (\(errorText(code))), so it is not used")
    case .invalidValue(let text, let attribute):
      .unusableGyroscope(
        "the \(attribute) of the gyroscope \(title) is \"\(text)\" instead of a usable number, so it is not used"
      )
    }
  }

  func message(ofHinge title: String) -> Message {
    switch self {
    case .unreadable(let code):
      .unusableHinge("the hinge sensor \(title) cannot be read (\(errorText(code))), so it is not used")
    case .invalidValue(let text, _):
      .unusableHinge(
        "the hinge sensor \(title) reports \(text), which is no angle from 0° to 360°, so it is not used")
    }
  }
}

nonisolated extension Message {
  static func slowGyroscope(_ sensor: String) -> Self {
    unusableGyroscope("the gyroscope \(sensor) is too slow to read, so it is not used")
  }

  /// Rotation needs no gyroscope.
  fileprivate static func unusableGyroscope(_ problem: Phrase) -> Self {
    Self(
      .sensorGyroscope, problem,
      next:
        "it is retried when a sensor is added or removed; to disable it, set gyroscope = \"off\" under [sensor]"
    )
  }

  /// - Parameter count: of the angles that it labels "hinge".
  static func unlabelledHinge(_ sensor: String, count: Int) -> Self {
    unusableHinge(
      "the hinge sensor \(sensor) is not used, since \(count) of its angles have the label “hinge”, not one")
  }

  /// Without the kernel's hinge sensor, the posture comes from the other inputs.
  fileprivate static func unusableHinge(_ problem: Phrase) -> Self {
    Self(
      .postureUnknown, problem,
      next:
        "it is retried when a sensor is added or removed; autorotate doctor shows what else reports the posture"
    )
  }

  // MARK: iio-sensor-proxy

  /// There is no system bus.
  static func noSystemBus(_ reason: Phrase) -> Self {
    Self(
      .sensorUnreachable, "iio-sensor-proxy cannot be reached: \(reason)",
      next: "start the system bus, or read the accelerometer directly with `--sensor iio`")
  }

  static let noProxy = Self(
    .sensorProxyAbsent, "iio-sensor-proxy is not running; it exits when it finds no sensor",
    next: "if it is not installed, install it, or check `systemctl status iio-sensor-proxy`; it is "
      + "used as soon as it is running")

  /// It runs without one.
  package static let noAccelerometerOfProxy = Self(
    .sensorNone, "iio-sensor-proxy has no accelerometer",
    next:
      "if this device has one, its driver or a udev rule is missing (see `systemctl status iio-sensor-proxy`); "
      + "it is used as soon as it appears")

  /// polkit denies access to the accelerometer (since 3.4).
  static func proxyRefuses(_ reason: String) -> Self {
    Self(
      .sensorRefused, "iio-sensor-proxy denies access to the accelerometer (\(reason))",
      next: "polkit grants access to users who are logged in at the device itself: log in there, or "
        + "allow net.hadess.SensorProxy.claim-sensor in a polkit rule")
  }

  static let proxyIsSilent = Self(
    .sensorNotAnswering, "iio-sensor-proxy does not answer",
    next: "restart it with `systemctl restart iio-sensor-proxy`")

  /// It answers, but not with valid values.
  static func invalidProxyAnswer(_ what: Phrase) -> Self {
    Self(
      .sensorInvalidValues, "iio-sensor-proxy sent an invalid answer (\(what))",
      next: "restart it with `systemctl restart iio-sensor-proxy`, or update it")
  }

  /// Whether the end of the failure must be polled for, since the proxy does not report it.
  var needsProxyPolling: Bool { ![.sensorProxyAbsent, .sensorNone].contains(code) }

  /// Whether the proxy must deliver an orientation before its accelerometer is reported as found.
  var needsConfirmation: Bool { [.sensorRefused, .sensorNotAnswering, .sensorInvalidValues].contains(code) }
}
