// SPDX-License-Identifier: MIT

import Autorotation
import System
import Waiting

@testable import SensorSources

extension Event {
  static func acceleration(_ a: Acceleration) -> Self { .motion(MotionSample(a)) }
}

/// A loop for a source, and its reports.
@MainActor final class SourceFixture {
  let loop: EventLoop
  private(set) var events: [(event: Event, moment: Instant)] = []
  private(set) var notices: [String] = []

  init() throws {
    loop = try EventLoop()
  }

  var record: (Event, Instant) -> Void {
    { [weak self] event, moment in self?.events.append((event, moment)) }
  }

  var note: (Message) -> Void {
    { [weak self] message in self?.notices.append(message.description) }
  }

  var samples: [(acceleration: Acceleration, moment: Instant)] {
    events.compactMap { event, moment in
      if case .motion(let sample) = event { (sample.acceleration, moment) } else { nil }
    }
  }

  var rates: [AngularRate] {
    events.compactMap { if case .motion(let sample) = $0.event { sample.rate } else { nil } }
  }

  var hinges: [HingeReading] {
    events.compactMap { if case .hingeChanged(let reading) = $0.event { reading } else { nil } }
  }

  var losses: [String] {
    events.compactMap { if case .sensorLost(let message) = $0.event { message.description } else { nil } }
  }

  /// The reason of the last loss; `nil` while there is a sensor.
  var failure: Message? {
    var failure: Message?
    for (event, _) in events {
      if case .sensorLost(let reason) = event { failure = reason }
      if case .sensorFound = event { failure = nil }
    }
    return failure
  }

  var finds: [String] {
    events.compactMap { if case .sensorFound(let name) = $0.event { name } else { nil } }
  }

  func await(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, _ condition: () -> Bool
  ) throws {
    try loop.wait(for: what, file: file, line: line, until: condition)
  }
}
