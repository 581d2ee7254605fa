// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import SensorSources
import System

/// The settings of a sensor source. If they change, the source is replaced.
struct SensorChoice: Equatable {
  var source: MachineSettings.SensorSource
  var accelerometer: AccelerometerSettings
  /// Whether the accelerometer's buffer may be used. A second reader leaves it to the daemon.
  var usesBuffer = true

  @MainActor
  fileprivate func make(loop: EventLoop, notice: @escaping (Message) -> Void) -> any SensorSource {
    let iio = IIOAccelerometer(loop: loop, accelerometer, usesBuffer: usesBuffer, notice: notice)
    let proxy = SensorProxySource(loop: loop)
    return switch source {
    case .replay(let path): ReplaySource(path: path, loop: loop, notice: notice)
    case .auto: AutoSource(loop: loop, accelerometer: iio, proxy: proxy, notice: notice)
    case .proxy: proxy
    case .iio: iio
    }
  }
}

/// Owns the sensor source, and replaces it when the settings change.
@MainActor
final class SensorSlot {
  private let loop: EventLoop
  private let report: (Event, Instant) -> Void
  private let notice: (Message) -> Void
  private var source: (any SensorSource)?
  private var choice: SensorChoice?
  var demand = SensorDemand.off { didSet { source?.demand(demand) } }
  var hinge = HingeWatch.off { didSet { if hinge != oldValue { source?.watchHinge(hinge) } } }

  init(
    loop: EventLoop, notice: @escaping (Message) -> Void = Console.log,
    report: @escaping (Event, Instant) -> Void
  ) {
    self.notice = notice
    self.loop = loop
    self.report = report
  }

  func use(_ choice: SensorChoice) {
    guard choice != self.choice else { return }
    self.choice = choice
    source?.stop()
    send(.hingeChanged(HingeReading()))
    let source = choice.make(loop: loop, notice: notice)
    self.source = source
    do {
      try source.start(report)
      source.demand(demand)
      source.watchHinge(hinge)
    } catch {
      let message = error as? Message ?? Message(.sensorNotReadable, "\(error)")
      send(.sensorLost(message))
    }
  }

  private func send(_ event: Event) { report(event, Instant(nanoseconds: EventLoop.now)) }

  /// Call it after a suspend.
  func recheck() { source?.recheck() }

  func stop() {
    source?.stop()
    source = nil
  }
}
