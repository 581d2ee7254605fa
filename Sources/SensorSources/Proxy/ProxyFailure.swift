// SPDX-License-Identifier: MIT

import Autorotation

/// Why iio-sensor-proxy is of no help, and what a person can do.
nonisolated enum ProxyFailure: Error, Equatable, CustomStringConvertible {
  /// There is no system bus to ask it on, for this reason.
  case noBus(String)
  case absent
  case noAccelerometer
  /// polkit does not let us have the accelerometer (since 3.4).
  case refused(String)
  case silent
  /// It answers, but not as it should.
  case nonsense(String)

  /// Whether nothing tells when it is over, so that it has to be tried again now and then.
  var passesUnnoticed: Bool {
    switch self {
    case .noBus, .refused, .silent, .nonsense: true
    case .absent, .noAccelerometer: false
    }
  }

  /// Whether an accelerometer that it says to have is worth nothing until it has delivered.
  var raisesSuspicion: Bool {
    switch self {
    case .refused, .silent, .nonsense: true
    case .noBus, .absent, .noAccelerometer: false
    }
  }

  var description: String { message.description }

  var message: Message {
    switch self {
    case .noBus(let reason):
      .init(
        .sensorUnreachable,
        "iio-sensor-proxy cannot be asked: \(reason); start the system bus, or read the accelerometer itself with "
          + "`--sensor iio`")
    case .absent:
      .init(
        .sensorProxyAbsent,
        "iio-sensor-proxy does not run, as it does while it has no sensor; if it is not installed, install it, or see "
          + "`systemctl status iio-sensor-proxy`. It is used as soon as it is there")
    case .noAccelerometer:
      .init(
        .sensorNone,
        "iio-sensor-proxy has no accelerometer; if this device has one, its driver or a udev rule is missing (see "
          + "`systemctl status iio-sensor-proxy`). It is used as soon as it appears")
    case .refused(let reason):
      .init(
        .sensorRefused,
        "iio-sensor-proxy refuses its accelerometer (\(reason)); polkit gives it to whoever is logged in at the "
          + "device itself: log in there, or allow net.hadess.SensorProxy.claim-sensor in a polkit rule")
    case .silent:
      .init(
        .sensorSilent,
        "iio-sensor-proxy does not answer; restart it with `systemctl restart iio-sensor-proxy`")
    case .nonsense(let what):
      .init(
        .sensorNonsense,
        "iio-sensor-proxy answers what cannot be understood (\(what)); restart it with "
          + "`systemctl restart iio-sensor-proxy`, or update it")
    }
  }
}
