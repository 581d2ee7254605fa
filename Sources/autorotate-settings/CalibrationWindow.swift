// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language
import System

/// Has the person hold the device in four ways, as `autorotate calibrate` asks, and shows what it says of each.
final class CalibrationWindow {
  private let layout: Layout
  private let picture: DevicePicture
  private var process: LineProcess?
  /// Counts them.
  private var attempt = 0
  /// What it has said that is no step of its: why it could not go on.
  private var complaints: [String] = []

  init(_ layout: Layout) {
    self.layout = layout
    picture = DevicePicture(in: layout["calibration_picture"])
    layout["calibrate"].on("clicked") { [weak self] in self?.begin() }
    layout["calibration_take"].on("clicked") { [weak self] in self?.process?.say("") }
    layout["calibration_again"].on("clicked") { [weak self] in self?.begin() }
    layout["calibration"].on("hide") { [weak self] in self?.end() }
  }

  private func begin() {
    end()
    show(
      "",
      remark: localized(
        "Hold the device as shown, then press Start. The other three are measured automatically."))
    complaints = []
    picture.hold = .flat
    layout["calibration_gravity"].say("")
    gtk_window_present(layout["calibration"].cast())
    attempt += 1
    process = LineProcess(["autorotate", "calibrate", "--json"]) { [weak self, attempt] line in
      // What the one before has still to say is nothing any more.
      if self?.attempt == attempt { self?.hear(line) }
    }
    layout["calibration_again"].show(false)
    prepareButton(for: 1)
    layout["calibration_take"].enable(process != nil)
    if process == nil { refuse(localized("autorotate cannot be run. See that it is installed.")) }
  }

  /// Nothing is measured before the user has pressed it.
  private func prepareButton(for number: Int) {
    let isFirst = number == 1
    gtk_button_set_label(
      layout["calibration_take"].cast(), isFirst ? localized("Start") : localized("Take It Now"))
    layout["calibration_take"].show(true)
    if !isFirst { layout["calibration_again"].show(true) }
  }

  private func end() {
    process?.end()
    process = nil
  }

  // MARK: What it says

  private func hear(_ line: String?) {
    guard process != nil else { return }
    guard let line else { return endOfWords() }
    guard let step = JSONValue(line), let kind = step["step"]?.string else { return complaints.append(line) }
    let words = step["words"]?.string ?? ""
    switch kind {
    case "ask": ask(step, words)
    case "gravity": feel(step)
    case "found": found(words)
    case "taken": layout["calibration_remark"].say("✓")
    default: layout["calibration_remark"].say(words)
    }
  }

  private func ask(_ step: JSONValue, _ words: String) {
    let number = step["number"]?.int ?? 0
    let place = "\(number)/\(step["of"]?.int ?? 0)"
    prepareButton(for: number)
    picture.hold = Self.holds[step["hold"]?.string ?? ""] ?? .flat
    layout["calibration_words"].say("\(place)  \(words)")
    layout["calibration_picture"].describe(words)
  }

  private static let holds: [String: DevicePicture.Hold] = [
    "upright": .quarters(0), "leftEdgeUp": .quarters(1), "upsideDown": .quarters(2), "faceUp": .flat,
  ]

  private func feel(_ step: JSONValue) {
    let axes = ["x", "y", "z"].compactMap { axis in
      step[axis]?.double.map { "\(axis) \($0.text(decimals: 2))" }
    }
    layout["calibration_gravity"].say(axes.joined(separator: "   ") + " m/s²")
  }

  private func found(_ words: String) {
    process = nil
    finish(localized("The sensor is set right."), remark: words)
  }

  private func endOfWords() {
    process = nil
    let prefix = "autorotate: "
    refuse(
      complaints.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }.joined(
        separator: "\n"))
  }

  private func refuse(_ words: String) {
    finish(localized("The sensor is as it was."), remark: words)
  }

  private func finish(_ words: String, remark: String) {
    show(words, remark: remark)
    layout["calibration_take"].show(false)
    layout["calibration_again"].show(true)
  }

  private func show(_ words: String, remark: String) {
    layout["calibration_words"].say(words)
    layout["calibration_remark"].say(remark)
  }
}
