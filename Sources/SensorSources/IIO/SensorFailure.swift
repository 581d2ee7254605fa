// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// Why there is no reading, and what a person can do.
nonisolated enum SensorFailure: Error, Equatable, CustomStringConvertible {
  /// The kernel offers no accelerometer.
  case none
  /// It offers one that is of no use, for this reason.
  case unusable(String)
  /// A call of libiio failed with this errno.
  case system(sensor: String, code: Int32)
  /// An attribute holds this text instead of a usable number.
  case nonsense(sensor: String, attribute: String, text: String)
  /// Reading takes longer than anyone can wait.
  case silent(sensor: String, seconds: Int)

  var description: String { message.description }

  var message: Message {
    switch self {
    case .none:
      .init(
        .sensorNone,
        "no accelerometer: the kernel offers none in /sys/bus/iio/devices. If this device has one, its driver "
          + "is missing (look for it with `dmesg`); it is used as soon as it appears")
    case .unusable(let reason): .init(.sensorUnusable, "no accelerometer of a display: \(reason)")
    case .system(let sensor, let code):
      .init(
        Self.code(code),
        "the accelerometer \(sensor) cannot be read: \(Self.reason(code)); \(Self.nextStep(code))")
    case .nonsense(let sensor, let attribute, let text):
      .init(
        .sensorNonsense,
        "the accelerometer \(sensor) cannot be used: its \(attribute) is \"\(text)\" instead of a number that "
          + "can be worked with; this is a fault of its driver, worth a report to linux-iio@vger.kernel.org")
    case .silent(let sensor, let seconds):
      .init(
        .sensorSilent,
        "the accelerometer \(sensor) has not answered for \(seconds) s; if it stays so, suspend and resume, "
          + "or load its driver again")
    }
  }

  /// Whether another program has it.
  var isBusy: Bool { if case .system(_, EBUSY) = self { true } else { false } }

  /// Whether there is no event when it is over. (udev announces a sensor or driver that appears.)
  var passesUnnoticed: Bool {
    switch self {
    case .system, .silent: true
    case .none, .unusable, .nonsense: false
    }
  }

  private static func reason(_ code: Int32) -> String {
    SystemError(call: "", code: code).reason
  }

  private static func code(_ code: Int32) -> Message.Code {
    switch code {
    case EBUSY: .sensorBusy
    case EACCES, EPERM: .sensorRefused
    case ENODEV, ENOENT, ENXIO: .sensorGone
    default: .sensorNotReadable
    }
  }

  private static func nextStep(_ code: Int32) -> Phrase {
    switch code {
    case EBUSY:
      "another program streams from it (iio-sensor-proxy does for some desktops); end that program, and "
        + "reading goes on by itself"
    case EACCES, EPERM:
      "allow your user to read its files in /sys/bus/iio/devices with a udev rule"
    case ENODEV, ENOENT, ENXIO:
      "it has gone, and is used again as soon as it is back"
    default:
      "it is tried again by itself; if that does not help, suspend and resume, or see `dmesg`"
    }
  }
}
