// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language
import System

/// Runs `autorotate calibrate` and shows its steps: the user holds the device in four orientations.
final class CalibrationWindow {
  private let layout: Layout
  private let drawing: DeviceDrawing
  /// As in `DeviceDrawing`.
  var panel: PanelAspect? { didSet { drawing.panel = panel } }
  private var process: LineProcess?
  /// Lines of output that are not steps: the reasons of a failure.
  private var otherLines: [String] = []

  init(_ layout: Layout) {
    self.layout = layout
    drawing = DeviceDrawing(in: layout["calibration_picture"])
    layout["calibrate"].on("clicked") { [weak self] in self?.begin() }
    layout["calibration_take"].on("clicked") { [weak self] in self?.process?.send("") }
    layout["calibration_again"].on("clicked") { [weak self] in self?.begin() }
    layout["calibration"].on("hide") { [weak self] in self?.end() }
  }

  private func begin() {
    end()
    let remark = localized(
      "Hold the device as shown, then press Start. The other three are measured automatically.")
    show("", remark: remark, isFinal: false)
    otherLines = []
    drawing.device = nil
    layout["calibration_gravity"].setText("")
    gtk_window_present(layout["calibration"].cast())
    process = LineProcess(["autorotate", "calibrate", "--json"]) { [weak self] process, line in
      // Ignore late output of an earlier run.
      if self?.process === process { self?.receive(line) }
    }
    layout["calibration_again"].show(false)
    prepareButton(for: 1)
    layout["calibration_take"].enable(process != nil)
    if process == nil { refuse(localized("autorotate cannot be started. Check that it is installed.")) }
  }

  /// Nothing is measured before the user has pressed it.
  private func prepareButton(for number: Int) {
    let isFirst = number == 1
    gtk_button_set_label(
      layout["calibration_take"].cast(), isFirst ? localized("Start") : localized("Measure Now"))
    layout["calibration_take"].show(true)
    if !isFirst { layout["calibration_again"].show(true) }
  }

  private func end() {
    process?.end()
    process = nil
  }

  // MARK: Output

  private func receive(_ line: String?) {
    guard let line else { return refuse(otherLines.joined(separator: "\n")) }
    guard let step = JSONValue(line), let kind = step["step"]?.string else { return otherLines.append(line) }
    let words = step["words"]?.string ?? ""
    switch kind {
    case "ask": ask(step, words)
    case "gravity": showGravity(step)
    case "found": finish(localized("The sensor is calibrated."), remark: words)
    case "taken": layout["calibration_remark"].setText("✓")
    default: layout["calibration_remark"].setText(words)
    }
  }

  private func ask(_ step: JSONValue, _ words: String) {
    let number = step["number"]?.int ?? 0
    let place = "\(number)/\(step["of"]?.int ?? 0)"
    prepareButton(for: number)
    drawing.device = Self.quarters[step["hold"]?.string ?? ""]
    layout["calibration_words"].setText("\(place)  \(words)")
    layout["calibration_picture"].describe(words)
  }

  /// As in `DeviceDrawing`; the fourth is "faceUp".
  private static let quarters = ["upright": 0, "leftEdgeUp": 1, "upsideDown": 2]

  private func showGravity(_ step: JSONValue) {
    let axes = ["x", "y", "z"].compactMap { axis in
      step[axis]?.double.map { "\(axis) \($0.text(decimals: 2))" }
    }
    layout["calibration_gravity"].setText(axes.joined(separator: "   ") + " m/s²")
  }

  private func refuse(_ words: String) {
    finish(localized("The calibration is unchanged."), remark: words)
  }

  private func finish(_ words: String, remark: String) {
    process = nil
    show(words, remark: remark, isFinal: true)
    layout["calibration_take"].show(false)
    layout["calibration_again"].show(true)
  }

  /// - Parameter isFinal: whether the remark can be selected and copied. In a new window that would take the focus.
  private func show(_ words: String, remark: String, isFinal: Bool) {
    layout["calibration_words"].setText(words)
    layout["calibration_remark"].setText(remark)
    gtk_label_set_selectable(layout["calibration_remark"].opaque, isFinal ? 1 : 0)
  }
}
