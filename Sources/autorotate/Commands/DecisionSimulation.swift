// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// Runs the whole decision on a trace, in the trace's time, with a simulated panel that rotates at once.
struct DecisionSimulation {
  private var autorotator = Autorotator()
  private var hasBegun = false
  private var lastReported: (DeviceOrientation, InterfaceOrientation)?

  /// - Parameter report: called for each change of device or screen orientation, after the rotation.
  mutating func play(_ sample: MotionSample, at time: Instant, report: (Instant, Status) -> Void) {
    if !hasBegun { begin(at: time, report) }
    while let due = autorotator.deadline, due < time {
      feed(.deadlineReached, at: due, report)
    }
    feed(.motion(sample), at: time, report)
  }

  private mutating func begin(at time: Instant, _ report: (Instant, Status) -> Void) {
    hasBegun = true
    feed(.sensorFound(name: "trace"), at: time, report)
    feed(.outputsChanged([Self.panel]), at: time, report)
  }

  private static var panel: Output { Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080) }

  /// What a daemon would decide after its start, by the settings, the rules and the saved lock.
  /// - Parameter application: as for `Autorotator.explanation`.
  @MainActor static func explanation(of application: String?, isFullscreen: Bool) -> Explanation {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    var autorotator = Memory().autorotator
    let start = Instant(nanoseconds: 0)
    _ = autorotator.handle(.settingsChanged(configuration.settings), at: start)
    _ = autorotator.handle(.outputsChanged([panel]), at: start)
    var explanation = autorotator.explanation(of: application, isFullscreen: isFullscreen)
    explanation.addFindings(of: configuration)
    return explanation
  }

  private mutating func feed(_ event: Event, at time: Instant, _ report: (Instant, Status) -> Void) {
    for action in autorotator.handle(event, at: time) {
      switch action {
      case .willRotate(let rotation): feed(.readyToRotate(rotation), at: time, report)
      case .apply(let rotation, _): feed(.rotationFinished(rotation), at: time, report)
      case .publish(let status): reportChange(in: status, at: time, report)
      case .setSensor, .didRotate, .postureChanged, .repair, .suggest, .saveLock,
        .saveLockMemories,
        .saveRotations, .rotateOutput, .askDesktop, .report, .refuse:
        break
      }
    }
  }

  private mutating func reportChange(in status: Status, at time: Instant, _ report: (Instant, Status) -> Void)
  {
    let isRotating = status.reasons.contains { if case .rotating = $0 { true } else { false } }
    let current = (status.device, status.interface)
    guard !isRotating, status.device != .unknown, lastReported.map({ $0 != current }) ?? true else { return }
    lastReported = current
    report(time, status)
  }
}
