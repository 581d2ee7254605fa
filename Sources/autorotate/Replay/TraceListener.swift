// SPDX-License-Identifier: MIT

import Autorotation
import Peers

/// Something that hears a whole trace, sample by sample, and makes a text or a drawing of it.
protocol TraceListener: AnyObject {
  func add(_ sample: MotionSample, at time: Instant)

  func end() throws
}

/// How times of a trace are printed: as the trace writes them.
enum TraceClock {
  case seconds, nanoseconds

  func text(_ time: Instant) -> String {
    switch self {
    case .nanoseconds: "\(time.nanoseconds)"
    // Milliseconds are enough for a person to find the place.
    case .seconds: (Double(time.nanoseconds / 1_000_000) / 1000).text(decimals: 3)
    }
  }
}

/// The judge alone, or a peer's rule.
final class JudgeListener: TraceListener {
  private var judge: any OrientationJudge
  private let clock: TraceClock

  init(_ judge: any OrientationJudge, _ clock: TraceClock) {
    self.judge = judge
    self.clock = clock
  }

  func add(_ sample: MotionSample, at time: Instant) {
    guard judge.add(sample, at: time) else { return }
    Console.say("\(clock.text(time)) \(judge.held.rawValue)")
  }

  func end() {}
}

/// The whole decision: one line for each change, with its reasons.
final class DecisionListener: TraceListener {
  private var rehearsal = Rehearsal()
  private let clock: TraceClock

  init(_ clock: TraceClock) {
    self.clock = clock
  }

  func add(_ sample: MotionSample, at time: Instant) {
    rehearsal.play(sample, at: time) { [clock] time, status in
      let words = [clock.text(time), status.device.rawValue, status.interface.word]
      Console.say((words + status.reasons.map(\.message.description)).joined(separator: " "))
    }
  }

  func end() {}
}
