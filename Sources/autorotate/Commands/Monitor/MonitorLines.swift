// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// The same as the screen, as one line at each change of what is decided: for pipes and for terminals that
/// can do no more.
struct MonitorLines {
  let style: TerminalStyle
  private var told: [String] = []

  init(style: TerminalStyle) {
    self.style = style
  }

  /// - Returns: `nil` if nothing has changed that is worth a line.
  mutating func line(_ scene: MonitorScene) -> String? {
    let news = [Self.sensor(scene), Self.decision(scene.daemon)]
    guard news != told, !(scene.sensor == .searching && told.isEmpty) else { return nil }
    told = news
    let figures = scene.acceleration.map { a in
      "x \(a.x.text(decimals: 2)) y \(a.y.text(decimals: 2)) z \(a.z.text(decimals: 2)) m/s²"
    }
    return style.shown((news + [figures].compactMap(\.self)).joined(separator: " · "))
  }

  private static func sensor(_ scene: MonitorScene) -> String {
    switch scene.sensor {
    case .searching: localized("looking for the sensor")
    case .found: scene.judgement.orientation.rawValue
    case .lost(let reason): reason
    }
  }

  private static func decision(_ daemon: MonitorScene.Daemon) -> String {
    switch daemon {
    case .notRunning: localized("autorotate is not running")
    case .unreachable(let reason): reason
    case .running(let report):
      localized("picture \(report.orientation): \(report.sentences.joined(separator: " "))")
    }
  }
}
