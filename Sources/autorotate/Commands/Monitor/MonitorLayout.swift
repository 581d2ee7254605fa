// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

/// Lays a scene out on a screen: the panel left, figures right, the decision and its reasons below.
struct MonitorLayout {
  let scene: MonitorScene
  let style: TerminalStyle
  let columns: Int
  let rows: Int

  private static let gap = 2
  /// Below this the figures have no room beside the panel.
  private static let columnsBesidePanel = 72

  /// The screen's rows, none wider than the screen less one: a full one would wrap on some terminals.
  var text: [String] {
    let body = columns >= Self.columnsBesidePanel ? besidePanel : figures
    let lines = [title, StyledLine(style)] + body + [StyledLine(style)] + decision
    return lines.prefix(max(1, rows)).map { $0.text(columns: max(1, columns - 1)) }
  }

  private var title: StyledLine {
    var line = StyledLine(style)
    line.add("autorotate monitor", .bold)
    switch scene.sensor {
    case .searching: line.add("  " + localized("looking for the sensor"))
    case .found(let name): line.add("  \(name)")
    case .lost: line.add("  " + localized("no reading of its own"), .yellow)
    }
    let hint = localized("q ends")
    line.pad(to: columns - hint.columns - 2)
    line.add(hint, .faint)
    return line
  }

  private var besidePanel: [StyledLine] {
    let drawing = PanelDrawing(
      gravity: scene.acceleration, shown: scene.shown, natural: scene.aspect, isUnicode: style.isUnicode)
    let figures = figures
    return drawing.lines.enumerated().map { number, row in
      var line = StyledLine(style)
      // Arrows and borders have no substitutes: the drawing knows itself what can be shown.
      line.add(row)
      line.pad(to: PanelDrawing.columns + Self.gap)
      if figures.indices.contains(number - 1) { line.add(figures[number - 1]) }
      return line
    }
  }

  // MARK: Figures

  private var figures: [StyledLine] {
    if case .lost(let reason) = scene.sensor {
      let room =
        columns >= Self.columnsBesidePanel ? columns - PanelDrawing.columns - Self.gap - 1 : columns - 1
      return style.shown(reason).wrapped(to: room).prefix(PanelDrawing.rows - 2).map { plain($0) }
    }
    return measured + [StyledLine(style)] + judged
  }

  private var measured: [StyledLine] {
    guard let a = scene.acceleration else { return [plain(localized("No sample yet."))] }
    let magnitude = Self.figure(a.magnitude)
    let isGravityAlone = abs(a.magnitude - 9.81) < 1
    return [
      row("Gravity", "x\(Self.figure(a.x))  y\(Self.figure(a.y))  z\(Self.figure(a.z)) m/s²"),
      row("|a|", isGravityAlone ? " \(magnitude) m/s²" : " \(magnitude) m/s², moving or wrong"),
      row("Turned", isFlat(a) ? "      - (lies flat)" : Self.turn(atan2(a.x, -a.y))),
      row("Tilt", "\(Self.degrees(atan2(a.z, (a.x * a.x + a.y * a.y).squareRoot()))) (90° is face up)"),
    ] + turning
  }

  private var turning: [StyledLine] {
    guard let rate = scene.rate else { return [] }
    return [row("Turning", "x\(Self.figure(rate.x))  y\(Self.figure(rate.y))  z\(Self.figure(rate.z)) rad/s")]
  }

  private func isFlat(_ a: Acceleration) -> Bool { a.x * a.x + a.y * a.y < 1 }

  private var judged: [StyledLine] {
    let judgement = scene.judgement
    let (held, whole) = (judgement.held.rawValue, judgement.orientation.rawValue)
    let flat: Phrase = whole == held ? "" : ", \(whole)"
    return [
      row("Held", "\(Phrase(word: held))\(flat)", .green),
      row("Next", judgement.candidate.map { "\($0.rawValue)" } ?? "-"),
      row("Evidence", judgement.candidate == nil ? "-" : "\(Self.bar(judgement.evidence))"),
    ]
  }

  // MARK: The decision

  private var decision: [StyledLine] {
    switch scene.daemon {
    case .notRunning: return [plain(localized(.notRunning), .yellow)]
    case .unreachable(let reason):
      return style.shown(localized("The daemon cannot be asked: \(reason)")).wrapped(to: columns - 1).map {
        plain($0, .yellow)
      }
    case .running(let report): return told(report)
    }
  }

  private func told(_ report: StatusReport) -> [StyledLine] {
    let lock: Phrase = report.lock.isEmpty ? "unlocked" : "locked to \(report.lock)"
    let output: Phrase = report.output.isEmpty ? "no output" : "\(report.output)"
    let hold: Phrase = report.isOnHold ? ", on hold" : ""
    let reasons = report.sentences.flatMap { reason in
      style.shown(reason).wrapped(to: columns - 3).enumerated().map { plain(($0 == 0 ? "- " : "  ") + $1) }
    }
    return [
      row("Picture", "\(report.orientation) on \(output), \(lock)\(hold)", .green),
      row("Allowed", "\(report.allowed.joined(separator: ", "))"),
      row("Device", "\(Phrase(word: report.device)), posture \(Phrase(word: report.posture))"),
    ] + reasons
  }

  // MARK: Pieces

  private func row(_ name: Phrase, _ value: Phrase, _ paint: TerminalStyle.Paint? = nil) -> StyledLine {
    var line = StyledLine(style)
    line.add(localized(name).padded(to: 10), .faint)
    line.add(localized(value), paint)
    return line
  }

  private func plain(_ text: String, _ paint: TerminalStyle.Paint? = nil) -> StyledLine {
    var line = StyledLine(style)
    line.add(text, paint)
    return line
  }

  /// Of the same width whatever it is, so that nothing jumps.
  private static func figure(_ value: Double) -> String {
    let text = value.text(decimals: 2)
    return String(repeating: " ", count: max(0, 6 - text.count)) + text
  }

  /// Of the device: its left edge comes up when it turns clockwise.
  private static func turn(_ radians: Double) -> Phrase {
    radians < 0 ? "\(degrees(abs(radians))) anticlockwise" : "\(degrees(radians)) clockwise"
  }

  private static func degrees(_ radians: Double) -> String {
    let text = (radians * 180 / .pi).text(decimals: 0)
    return String(repeating: " ", count: max(0, 7 - text.count)) + text + "°"
  }

  private static func bar(_ share: Double) -> String {
    let filled = Int((share * 10).rounded(.down))
    return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 10 - filled) + "]"
  }
}
