// SPDX-License-Identifier: MIT

import Autorotation
import SensorSources
import System

/// Half a second of the accelerometer and its gyroscope, in the panel's frame.
struct SensorReading {
  /// m/s².
  var values: Result<[Acceleration], Message>
  /// The last one of the gyroscope.
  var rate: AngularRate?
  /// Why the gyroscope could not be read.
  var gyroscopeFault: Message?
}

extension SensorReading {
  /// The number of samples: half a second at `pace`, enough for a median.
  private static let wanted = 12
  private static let pace = 25.0
  /// A sensor hub may take a second to wake up.
  private static let timeoutSeconds = 4

  /// Reads the sensor. Waits for it.
  @MainActor
  init(_ settings: AccelerometerSettings) throws { self = try Probe().read(settings) }

  @MainActor
  private final class Probe {
    private var reading = SensorReading(
      values: .failure(
        Message(
          .sensorNotAnswering, "no value within \(timeoutSeconds) s",
          next: "suspend and resume, or reload the sensor's driver; see dmesg")))
    private var isDone = false

    func read(_ settings: AccelerometerSettings) throws -> SensorReading {
      var settings = settings
      settings.rate = pace
      let loop = try EventLoop()
      let sensor = IIOAccelerometer(loop: loop, settings, usesBuffer: false) { [unowned self] in
        if $0.code == .sensorGyroscope { reading.gyroscopeFault = reading.gyroscopeFault ?? $0 }
      }
      try sensor.start { [unowned self] event, _ in handle(event) }
      sensor.demand(.following)
      let end = EventLoop.now + Int64(timeoutSeconds) * 1_000_000_000
      let timer = try loop.timer(at: end) { [unowned self] in isDone = true }
      while !isDone { try loop.runOnce(timeoutNanoseconds: 1_000_000_000) }
      timer.cancel()
      sensor.stop()
      return reading
    }

    private func handle(_ event: Event) {
      switch event {
      case .motion(let sample) where !isDone:
        let values = ((try? reading.values.get()) ?? []) + [sample.acceleration]
        (reading.values, reading.rate) = (.success(values), sample.rate ?? reading.rate)
        isDone = values.count == wanted
      case .sensorLost(let message): (reading.values, isDone) = (.failure(message), true)
      default: break
      }
    }
  }
}
