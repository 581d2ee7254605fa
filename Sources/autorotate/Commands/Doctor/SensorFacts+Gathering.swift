// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import SensorSources
import System

extension SensorFacts {
  @MainActor
  static func gather(_ configuration: Configuration) throws -> Self {
    let machine = configuration.machine
    let accelerometer = Result { () throws(Message) in
      do throws(Message) {
        return try AccelerometerInspection.inspect(machine.accelerometer)
      } catch {
        guard error.code == .sensorNone else { throw error }
        throw MissingAccelerometer().message ?? .noAccelerometerInKernel
      }
    }
    var facts = Self(source: machine.sensorSource, accelerometer: accelerometer)
    facts.device = machine.accelerometer.device
    facts.usesGyroscope = machine.accelerometer.usesGyroscope
    facts.inputAccelerometers = KernelInput.accelerometerNames
    if case .success = accelerometer { try SensorProbe.read(machine.accelerometer, into: &facts) }
    facts.proxy = Proxy.gather()
    facts.isProxyInstalled = Proxy.isInstalled
    facts.posture.choice = configuration.settings.tabletSwitch
    facts.posture.devices = PostureInspection.inspect(
      facts.posture.choice, keyboard: configuration.settings.keyboard)
    facts.posture.rotateIn = configuration.settings.rotateIn
    facts.posture.missingButtonArray = MissingButtonArray().message
    return facts
  }
}

/// Reads the accelerometer for half a second.
@MainActor
private final class SensorProbe {
  /// The number of samples: half a second at `pace`, enough for a median.
  private static let wanted = 12
  private static let pace = 25.0
  /// A sensor hub may take a second to wake up.
  private static let timeoutSeconds = 4

  private let loop: EventLoop
  private var values: [Acceleration] = []
  private var rate: AngularRate?
  private var faults: [Message] = []
  private var outcome: SensorFacts.Reading?

  static func read(_ settings: AccelerometerSettings, into facts: inout SensorFacts) throws {
    let probe = try SensorProbe()
    facts.reading = try probe.read(settings)
    facts.rate = probe.rate
    facts.gyroscopeFault = probe.faults.first { $0.code == .sensorGyroscope }
  }

  private init() throws {
    loop = try EventLoop()
  }

  private func read(_ settings: AccelerometerSettings) throws -> SensorFacts.Reading {
    var settings = settings
    settings.rate = Self.pace
    let sensor = IIOAccelerometer(loop: loop, settings, usesBuffer: false) { [unowned self] in
      faults.append($0)
    }
    try sensor.start { [unowned self] event, _ in handle(event) }
    sensor.demand(.following)
    let timer = try loop.timer { [unowned self] in giveUp() }
    timer.arm(at: EventLoop.now + Int64(Self.timeoutSeconds) * 1_000_000_000)
    while outcome == nil { try loop.runOnce(timeoutNanoseconds: 1_000_000_000) }
    timer.cancel()
    sensor.stop()
    return outcome ?? .silent(seconds: Self.timeoutSeconds)
  }

  private func handle(_ event: Event) {
    switch event {
    case .motion(let sample):
      values.append(sample.acceleration)
      rate = sample.rate ?? rate
      if values.count == Self.wanted { outcome = .values(values) }
    case .sensorLost(let message): outcome = .failed(message)
    default: break
    }
  }

  private func giveUp() {
    outcome = values.isEmpty ? .silent(seconds: Self.timeoutSeconds) : .values(values)
  }
}

extension Message {
  /// Why a command that needs gravity is not possible.
  @MainActor
  static func notPossible(without accelerometer: Message) -> Self {
    guard accelerometer.code == .sensorNone, case .running(_, true) = SensorFacts.Proxy.gather() else {
      return Self(.commandNotPossible, accelerometer.phrase)
    }
    return Self(
      .commandNotPossible,
      "iio-sensor-proxy reports only the device orientation, but this command needs the accelerometer itself",
      next: "if the screen rotates the wrong way, set ACCEL_MOUNT_MATRIX in systemd's hwdb(7)")
  }
}

extension SensorFacts.Proxy {
  private static let target = BusTarget(
    service: "net.hadess.SensorProxy", path: "/net/hadess/SensorProxy", interface: "net.hadess.SensorProxy")

  /// It is not in PATH, and distributions install it and its unit in different places.
  fileprivate static var isInstalled: Bool {
    let directories = ["/usr/libexec", "/usr/lib/iio-sensor-proxy", "/usr/lib", "/usr/sbin"]
    let units = ["/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system"]
    let places = directories.map { "\($0)/iio-sensor-proxy" } + units.map { "\($0)/iio-sensor-proxy.service" }
    return places.contains { SystemFile.isFile($0) }
  }

  /// Reads a property without claiming the sensor, so that no sensor starts.
  @MainActor
  static func gather() -> Self {
    let bus: Bus
    let answer: [Value]
    do {
      bus = try Bus(.system)
      answer = try bus.callAndWait(
        target.properties, "Get", [.string(target.interface), .string("HasAccelerometer")],
        timeout: .seconds(3), startsService: false)
    } catch {
      return error.isServiceMissing ? .absent : .unknown(Phrase("its state is unknown: \(error)"))
    }
    let hasAccelerometer = (try? answer.read(0, as: Bool.self)) ?? false
    return .running(process: bus.processID(of: target.service), hasAccelerometer: hasAccelerometer)
  }
}

extension Message {
  /// No cause was found.
  fileprivate static let noAccelerometerInKernel = Self(
    .sensorNone, "the kernel offers no accelerometer in /sys/bus/iio/devices",
    next:
      "if this device has one, search the wiki of your distribution for your model, and run "
      + "`sudo dmesg | grep -i -E 'iio|hid-sensor|accel'`; a sensor is used as soon as it appears")
}
