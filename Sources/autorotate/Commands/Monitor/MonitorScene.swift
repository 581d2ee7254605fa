// SPDX-License-Identifier: MIT

import Autorotation

/// All that the monitor shows, as values.
struct MonitorScene: Equatable {
  enum Sensor: Equatable {
    case searching
    case found(String)
    /// Why there is no reading of our own: a sentence.
    case lost(String)
  }

  /// The judge as it stands.
  struct Judgement: Equatable {
    var held = DeviceOrientation.unknown
    /// With the two flat ones.
    var orientation = DeviceOrientation.unknown
    var candidate: DeviceOrientation?
    /// Of the evidence that the candidate needs, 0…1.
    var evidence = 0.0
  }

  enum Daemon: Equatable {
    case notRunning
    case running(StatusReport)
    /// The session bus is not to be had, for this reason.
    case unreachable(String)
  }

  var sensor = Sensor.searching
  /// In the panel's frame, m/s².
  var acceleration: Acceleration?
  /// Of the gyroscope, if it is on: rad/s about the same axes.
  var rate: AngularRate?
  var judgement = Judgement()
  var daemon = Daemon.notRunning
  /// Which way the panel's natural picture lies.
  var aspect = PanelAspect.landscape

  var report: StatusReport? {
    if case .running(let report) = daemon { report } else { nil }
  }

  /// The picture that is shown now, as far as is known.
  var shown: InterfaceOrientation {
    report.flatMap { InterfaceOrientation(word: $0.orientation) } ?? .normal
  }

  mutating func note(_ judge: OrientationClassifier) {
    let tendency = judge.tendency
    judgement = Judgement(
      held: judge.held, orientation: judge.orientation, candidate: tendency?.orientation,
      evidence: tendency?.share ?? 0)
  }
}
