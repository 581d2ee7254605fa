// SPDX-License-Identifier: MIT

import Autorotation

/// The whole decision with a pretended panel that turns at once, in the trace's own time.
struct Rehearsal {
  private var autorotator = Autorotator()
  private var hasBegun = false
  private var told: (DeviceOrientation, InterfaceOrientation)?

  /// - Parameter tell: is called for each change of device or interface orientation, after the turn.
  mutating func play(_ sample: MotionSample, at time: Instant, tell: (Instant, Status) -> Void) {
    if !hasBegun { begin(at: time, tell) }
    while let due = autorotator.deadline, due < time {
      feed(.deadlineReached, at: due, tell)
    }
    feed(.motion(sample), at: time, tell)
  }

  private mutating func begin(at time: Instant, _ tell: (Instant, Status) -> Void) {
    hasBegun = true
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080)
    feed(.sensorFound(name: "trace"), at: time, tell)
    feed(.outputsChanged([panel]), at: time, tell)
  }

  private mutating func feed(_ event: Event, at time: Instant, _ tell: (Instant, Status) -> Void) {
    for action in autorotator.handle(event, at: time) {
      switch action {
      case .willRotate(let rotation): feed(.readyToRotate(rotation), at: time, tell)
      case .apply(let rotation, _): feed(.rotationFinished(rotation), at: time, tell)
      case .publish(let status): reportChange(in: status, at: time, tell)
      case .setSensor, .didRotate, .postureChanged, .repair, .suggest, .saveLock,
        .saveLockMemories,
        .saveTurns, .turnOutput, .askDesktop, .report, .refuse:
        break
      }
    }
  }

  private mutating func reportChange(in status: Status, at time: Instant, _ tell: (Instant, Status) -> Void) {
    let isTurning = status.reasons.contains { if case .rotating = $0 { true } else { false } }
    let news = (status.device, status.interface)
    guard !isTurning, status.device != .unknown, told.map({ $0 != news }) ?? true else { return }
    told = news
    tell(time, status)
  }
}
