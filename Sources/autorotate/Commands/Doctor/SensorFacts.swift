// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import SensorSources

/// The accelerometer, gyroscope, iio-sensor-proxy and posture sensors, as inspected.
struct SensorFacts {
  /// The result of reading the accelerometer for half a second.
  enum Reading: Equatable {
    /// In the panel's frame, m/s².
    case values([Acceleration])
    case failed(Message)
    /// No value within this time, in seconds.
    case silent(seconds: Int)
  }

  /// iio-sensor-proxy on the system bus.
  enum Proxy: Equatable {
    case absent
    case running(process: UInt32?, hasAccelerometer: Bool)
    /// The bus cannot be reached, for this reason.
    case unknown(Phrase)
  }

  var source = MachineSettings.SensorSource.auto
  var accelerometer: Result<AccelerometerInspection, Message>
  /// The names of accelerometers that are input devices.
  var inputAccelerometers: [String] = []
  /// `nil` where there is nothing to read.
  var reading: Reading?
  /// From the settings.
  var device: String?
  var usesGyroscope = true
  /// The last reading of its gyroscope, in the panel's frame.
  var rate: AngularRate?
  /// Why the gyroscope could not be read.
  var gyroscopeFault: Message?
  var proxy = Proxy.absent
  var isProxyInstalled = false
  var posture = PostureFacts()
  /// Whether a running daemon uses the sensor.
  var isInUse = false

  var findings: [Finding] {
    if case .replay(let path) = source { return [replayed(path)] + postures }
    return [found, readable, plausible, matrix, gyroscope, proxyState] + postures
  }
}

// MARK: - The accelerometer

extension SensorFacts {
  private func replayed(_ path: String) -> Finding {
    .works(
      "sensor", "the settings use the trace \(path)",
      next: "to use the accelerometer, set source = \"auto\" in the [sensor] settings")
  }

  /// Whether iio-sensor-proxy is used instead of the accelerometer itself.
  private var goesThroughProxy: Bool {
    guard case .running(_, hasAccelerometer: true) = proxy else { return false }
    switch (source, reading) {
    case (.proxy, _): return true
    case (.iio, _), (_, .values): return false
    default: return true
    }
  }

  private var isStreaming: Bool { (try? accelerometer.get())?.isStreaming ?? false }

  private var found: Finding {
    switch accelerometer {
    case .success(let found): chosen(found)
    case .failure where goesThroughProxy: .works("sensor", "the sensor of iio-sensor-proxy")
    case .failure(let absence) where absence.code == .sensorNone && !inputAccelerometers.isEmpty: inputOnly
    case .failure(let absence): .broken("sensor", absence, next: "see dmesg")
    }
  }

  private func chosen(_ found: AccelerometerInspection) -> Finding {
    if let missing = found.missingDevice { return .broken("sensor", missing, next: "see dmesg") }
    guard !found.alternatives.isEmpty, device == nil else { return .works("sensor", "\(found.title)") }
    let others = found.alternatives.joined(separator: ", ")
    return .works(
      "sensor",
      "\(found.title), the first of \(found.alternatives.count + 1): the system does not report which is in the display (\(others))",
      next:
        "if the screen follows the wrong one, name the other with device under [sensor], such as iio:device1")
  }

  private var inputOnly: Finding {
    .broken(
      "sensor", .sensorNone,
      "“\(inputAccelerometers[0])” is an accelerometer of the kernel's input subsystem, which autorotate does not read",
      next: source == .iio
        ? "set source = \"auto\" in the [sensor] settings, and install iio-sensor-proxy, which reads it"
        : "install iio-sensor-proxy, which reads it")
  }

  private var readable: Finding {
    let name: Phrase = "readable"
    if goesThroughProxy { return .works(name, "through iio-sensor-proxy") }
    switch reading {
    case nil: return .notApplicable(name, "no sensor to read")
    case .values(let values): return .works(name, "\(values.count) values read")
    case .failed where isInUse && isStreaming: return .works(name, "autorotate streams from it")
    case .failed(let reason): return .broken(name, reason, next: "see dmesg")
    case .silent(let seconds):
      return .broken(
        name, .sensorNotAnswering, "no value within \(seconds) s",
        next: "suspend and resume, or reload the sensor's driver; see dmesg")
    }
  }

  private var plausible: Finding {
    let name: Phrase = "plausible"
    guard case .values(let values) = reading, let median = values.medianMagnitude else {
      return .notApplicable(name, "no values to check")
    }
    let words: Phrase = "|a| is \(median.text(decimals: 2)) m/s² (g is 9.81)"
    guard Self.nearGravity.contains(median) else {
      return .broken(
        name, .sensorImplausible, words,
        next:
          "hold the device still and run this again; if the value stays, the sensor's scale is wrong. That is a bug of "
          + "its driver: report it to linux-iio@vger.kernel.org")
    }
    guard values.count > 1, values.allSatisfy({ $0 == values[0] }) else { return .works(name, words) }
    return .works(
      name, "\(words), identical every time",
      next: "move the device and run this again; if the values stay the same, suspend and resume")
  }

  /// m/s², 15 % around g: cheap sensors are a few percent off, and hands shake.
  private static let nearGravity = 8.3...11.3

  private var matrix: Finding {
    let name: Phrase = "mount matrix"
    guard !goesThroughProxy else { return .notApplicable(name, "iio-sensor-proxy applies its own") }
    guard case .success(let sensor) = accelerometer else { return .notApplicable(name, "no sensor") }
    let words: Phrase =
      sensor.mountMatrix == .identity
      ? "none needed (\(sensor.matrixSource))"
      : "\(sensor.mountMatrix.text), from \(sensor.matrixSource)"
    guard let problem = sensor.matrixProblems.first else { return .works(name, words) }
    let next: Phrase = "find the right matrix with: autorotate calibrate"
    return .broken(name, problem.code, "\(words); \(problem.what)", next: next)
  }
}

// MARK: - Gyroscope, iio-sensor-proxy and posture

extension SensorFacts {
  private var gyroscope: Finding {
    let name: Phrase = "gyroscope"
    if goesThroughProxy { return .notApplicable(name, "iio-sensor-proxy has none") }
    guard let title = (try? accelerometer.get())?.gyroscope else {
      return .notApplicable(name, "none next to the accelerometer; not needed")
    }
    guard usesGyroscope else { return .notApplicable(name, "\(title), disabled in the settings") }
    if let rate {
      let figures = [rate.x, rate.y, rate.z].map { $0.text(decimals: 2) }.joined(separator: ", ")
      return .works(name, "\(title), read while the device may be rotating; now \(figures) rad/s")
    }
    guard let gyroscopeFault, !isInUse else { return .works(name, "\(title), not in use now") }
    return .broken(
      name, gyroscopeFault, next: "see dmesg, or set gyroscope = \"off\" in the [sensor] settings")
  }

  private var proxyState: Finding {
    let name: Phrase = "iio-sensor-proxy"
    switch proxy {
    case .absent where isProxyInstalled:
      return stoppedProxy(name)
    case .absent where source == .proxy:
      return .broken(
        name, .sensorProxyAbsent, "not running, but the settings require it",
        next: "install iio-sensor-proxy, or set source = \"auto\" in the [sensor] settings")
    case .absent: return .notApplicable(name, "not running; not needed if the sensor can be read directly")
    case .unknown(let reason): return .notApplicable(name, reason)
    case .running(let process, _): return running(process.map { "process \($0)" } ?? "running")
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

  private func running(_ process: Phrase) -> Finding {
    let name: Phrase = "iio-sensor-proxy"
    guard isStreaming else {
      return .works(name, "\(process); not streaming from the sensor now")
    }
    guard case .failed = reading, !goesThroughProxy, !isInUse else {
      return .works(name, "\(process); streaming from the sensor")
    }
    return .broken(
      name, .sensorBusy, "\(process); streaming from the sensor, so that no other program can read it",
      next: "set source = \"auto\" in the [sensor] settings, or: sudo systemctl stop iio-sensor-proxy")
  }

  private var postures: [Finding] {
    var posture = posture
    let found = try? accelerometer.get()
    (posture.base, posture.hingeSensor) = (found?.base, found?.hinge)
    return posture.findings
  }
}

extension [Acceleration] {
  /// m/s²; `nil` if empty. The median, so that one knock does not matter.
  var medianMagnitude: Double? {
    let sorted = map(\.magnitude).sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }
}
