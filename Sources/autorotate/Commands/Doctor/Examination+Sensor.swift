// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import SensorSources
import System

extension Examination {
  // MARK: The accelerometer

  var sensorFindings: [Finding] {
    if case .replay(let path) = source {
      return [
        .works(
          "sensor", "the settings use the trace \(path)",
          next: "to use the accelerometer, set source = \"auto\" in the [sensor] settings")
      ]
    }
    return [sensor, readable, plausible, mountMatrix, gyroscope, sensorProxy]
  }

  private var source: MachineSettings.SensorSource { configuration.machine.sensorSource }

  /// Whether iio-sensor-proxy is used instead of the accelerometer itself.
  private var goesThroughProxy: Bool {
    guard case .running(_, hasAccelerometer: true) = proxy else { return false }
    switch (source, reading?.values) {
    case (.proxy, _): return true
    case (.iio, _), (_, .success): return false
    default: return true
    }
  }

  private var isStreaming: Bool { (try? accelerometer.get())?.isStreaming ?? false }

  /// Whether a running daemon uses the sensor.
  private var isInUse: Bool { ["active", "asleep"].contains(status?.sensorState) }

  private var sensor: Finding {
    switch accelerometer {
    case .success(let found): chosen(found)
    case .failure where goesThroughProxy: .works("sensor", "the sensor of iio-sensor-proxy")
    case .failure(let absence): removed ?? .broken("sensor", absence, next: "see `sudo dmesg`")
    }
  }

  /// Only the running daemon knows which sensor there was.
  private var removed: Finding? {
    status?.sentence(of: .sensorRemoved).map {
      .broken(
        "sensor", .sensorRemoved, Phrase(verbatim: $0),
        next: "if it was unplugged, plug it in again; if not, see `sudo dmesg`")
    }
  }

  private func chosen(_ found: AccelerometerInspection) -> Finding {
    if let missing = found.missingDevice { return .broken("sensor", missing, next: "see `sudo dmesg`") }
    guard !found.alternatives.isEmpty, configuration.machine.accelerometer.device == nil else {
      return .works("sensor", "\(found.title)")
    }
    let others = found.alternatives.joined(separator: ", ")
    return .works(
      "sensor",
      "\(found.title), the first of \(found.alternatives.count + 1): the system does not report which is in the display (\(others))",
      next:
        "if the screen follows the wrong one, name the other with device under [sensor], such as iio:device1")
  }

  private var readable: Finding {
    if goesThroughProxy { return .works("readable", "through iio-sensor-proxy") }
    switch reading?.values {
    case nil: return .notApplicable("readable", "no sensor to read")
    case .success(let values): return .works("readable", "\(values.count) values read")
    case .failure where isInUse && isStreaming && isRefused:
      return .works("readable", "autorotate streams from it")
    case .failure(let reason): return .broken("readable", reason, next: "see `sudo dmesg`")
    }
  }

  /// Whether the kernel refuses to read it, as it may while another program streams from it.
  private var isRefused: Bool {
    guard case .failure(let reason) = reading?.values else { return false }
    return reason.code != .sensorNotAnswering
  }

  private var plausible: Finding {
    let name: Phrase = "plausible"
    guard let values = try? reading?.values.get(), !values.isEmpty else {
      return .notApplicable(name, "no values to check")
    }
    // The median, so that one knock does not matter.
    let median = values.map(\.magnitude).sorted()[values.count / 2]
    let words: Phrase = "|a| is \(median.text(decimals: 2)) m/s² (g is 9.81)"
    guard Self.nearGravity.contains(median) else {
      return .broken(
        name, .sensorImplausible, words,
        next: Calibration.zeros.contains(median)
          ? "the sensor reports only zeros: suspend and resume, or reload its driver"
          : "hold the device still and run this again; if the value stays, the sensor's scale is wrong. That is a bug of "
            + "its driver: report it to linux-iio@vger.kernel.org")
    }
    guard values.count > 1, values.allSatisfy({ $0 == values[0] }) else { return .works(name, words) }
    return .works(
      name, "\(words), identical every time",
      next: "move the device and run this again; if the values stay the same, suspend and resume")
  }

  /// m/s², 15 % around g: cheap sensors are a few percent off, and hands shake.
  private static let nearGravity = 8.3...11.3

  private var mountMatrix: Finding {
    let name: Phrase = "mount matrix"
    guard !goesThroughProxy else { return .notApplicable(name, "iio-sensor-proxy applies its own") }
    guard let mount = (try? accelerometer.get())?.mount else { return .notApplicable(name, "no sensor") }
    let words: Phrase =
      mount.matrix == .identity
      ? "none needed (\(mount.source))" : "\(mount.matrix.text), from \(mount.source)"
    guard let problem = mount.problems.first else {
      return mount.isGiven
        ? .works(name, words)
        : .works(name, "none given", next: "if the screen rotates the wrong way: autorotate calibrate")
    }
    return .broken(
      name, problem.code, "\(words); \(problem.what)",
      next: "find the right matrix with: autorotate calibrate")
  }

  // MARK: Gyroscope and iio-sensor-proxy

  private var gyroscope: Finding {
    let name: Phrase = "gyroscope"
    if goesThroughProxy { return .notApplicable(name, "iio-sensor-proxy has none") }
    guard let title = (try? accelerometer.get())?.gyroscope else {
      return .notApplicable(name, "none next to the accelerometer; not needed")
    }
    guard configuration.machine.accelerometer.usesGyroscope else {
      return .notApplicable(name, "\(title), disabled in the settings")
    }
    if let rate = reading?.rate {
      let figures = [rate.x, rate.y, rate.z].map { $0.text(decimals: 2) }.joined(separator: ", ")
      return .works(name, "\(title), read while the device may be rotating; now \(figures) rad/s")
    }
    guard let fault = reading?.gyroscopeFault, !isInUse else {
      return .works(name, "\(title), not in use now")
    }
    return .broken(name, fault, next: "see `sudo dmesg`, or set gyroscope = \"off\" in the [sensor] settings")
  }

  private var sensorProxy: Finding {
    let name: Phrase = "iio-sensor-proxy"
    switch proxy {
    case .absent(isInstalled: true): return stoppedProxy(name)
    case .absent where source == .proxy:
      return .broken(
        name, .sensorProxyAbsent, "not running, but the settings require it",
        next: "install iio-sensor-proxy, or set source = \"auto\" in the [sensor] settings")
    case .absent: return .notApplicable(name, "not running; not needed if the sensor can be read directly")
    case .unknown(let reason) where source == .proxy:
      return .broken(
        name, .sensorUnreachable, reason,
        next: "start the system bus, or set source = \"auto\" in the [sensor] settings")
    case .unknown(let reason): return .notApplicable(name, reason)
    case .running(_, hasAccelerometer: false) where source == .proxy:
      return Finding(name, .broken, .noAccelerometerOfProxy)
    case .running(let process, _): return running(name, process.map { "process \($0)" } ?? "running")
    }
  }

  /// It exits when its last sensor goes, and udev starts it for the next one.
  private func stoppedProxy(_ name: Phrase) -> Finding {
    let words: Phrase = "installed but not running: it exits when it finds no sensor"
    guard source == .proxy else { return .notApplicable(name, words) }
    return .broken(
      name, .sensorProxyAbsent, words,
      next: "it starts when a sensor appears; if there is one, see: systemctl status iio-sensor-proxy")
  }

  private func running(_ name: Phrase, _ process: Phrase) -> Finding {
    guard isStreaming else { return .works(name, "\(process); not streaming from the sensor now") }
    guard isRefused, !goesThroughProxy, !isInUse else {
      return .works(name, "\(process); streaming from the sensor")
    }
    return .broken(
      name, .sensorBusy, "\(process); streaming from the sensor, so that no other program can read it",
      next: "set source = \"auto\" in the [sensor] settings, or: sudo systemctl stop iio-sensor-proxy")
  }
}

extension Message {
  /// Why there is no accelerometer.
  /// - Parameter inputDevices: the names of accelerometers that are input devices.
  static func missing(
    _ source: MachineSettings.SensorSource, inputDevices: [String] = KernelInput.accelerometerNames
  ) -> Self {
    inputDevices.first.map { inputOnly($0, source) } ?? MissingDevice().accelerometer
      ?? Self(
        .sensorNone, "the kernel offers no accelerometer in /sys/bus/iio/devices",
        next:
          "if this device has one, search the wiki of your distribution for your model, and run "
          + "`sudo dmesg | grep -i -E 'iio|hid-sensor|accel'`; a sensor is used as soon as it appears")
  }

  private static func inputOnly(_ name: String, _ source: MachineSettings.SensorSource) -> Self {
    Self(
      .sensorNone,
      "“\(name)” is an accelerometer of the kernel's input subsystem, which autorotate does not read",
      next: source == .iio
        ? "set source = \"auto\" in the [sensor] settings, and install iio-sensor-proxy, which reads it"
        : "install iio-sensor-proxy, which reads it")
  }

  /// Why a command that needs gravity is not possible.
  @MainActor
  static func notPossible(without accelerometer: Message) -> Self {
    guard accelerometer.code == .sensorNone, case .running(_, true) = SensorProxyState.current() else {
      return Self(.commandNotPossible, accelerometer.phrase)
    }
    return Self(
      .commandNotPossible,
      "iio-sensor-proxy reports only the device orientation, but this command needs the accelerometer itself",
      next: "if the screen rotates the wrong way, set ACCEL_MOUNT_MATRIX in systemd's hwdb(7)")
  }
}
