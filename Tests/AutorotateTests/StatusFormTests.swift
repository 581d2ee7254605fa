// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor struct StatusFormTests {
  private func report(_ change: (inout Status) -> Void = { _ in }) -> StatusReport {
    var status = Status.example
    change(&status)
    return StatusReport(status)
  }

  private func object(_ format: StatusForm, _ report: StatusReport?) throws -> [String: Any] {
    let line = format.line(report)
    #expect(!line.contains("\n"))
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func `waybar gets text tooltip and class`() throws {
    let module = try object(.waybar, report())
    #expect(module["text"] as? String == "left")
    #expect(module["alt"] as? String == "auto")
    #expect(module["class"] as? [String] == ["auto", "left"])
    #expect(
      module["tooltip"] as? String
        == "left · device left-up · unlocked\nYour settings allow any.\nDevice orientation: left edge up.")
  }

  @Test func `waybar gets a class for each state`() throws {
    let module = try object(
      .waybar,
      report {
        $0.lock = Lock(orientation: .left)
        $0.suggestion = .normal
        $0.sensor = .lost("unplugged")
      })
    #expect(module["alt"] as? String == "locked")
    #expect(module["class"] as? [String] == ["locked", "left", "suggestion", "no-sensor"])
  }

  /// waybar reads tooltips as Pango's markup, and shows none at all if that is broken.
  @Test func `markup in names is escaped in the tooltip`() throws {
    let module = try object(.waybar, report { $0.reasons = [.noSensor("<b>A & B")] })
    let tooltip = try #require(module["tooltip"] as? String)
    #expect(tooltip.hasSuffix("\nNo sensor: &lt;b&gt;A &amp; B"))
  }

  @Test func `i3bar gets a block`() throws {
    let block = try object(.i3bar, report { $0.isPaused = true })
    #expect(
      block as? [String: String] == [
        "name": "autorotate", "instance": "paused", "full_text": "left (paused)", "short_text": "left",
      ])
  }

  @Test func `the plain format has orientation and state`() {
    #expect(StatusForm.plain.line(report()) == "left")
    #expect(StatusForm.plain.line(report { $0.lock = Lock(orientation: .left) }) == "left (locked)")
    let both = report {
      $0.lock = Lock(orientation: .left)
      $0.isPaused = true
    }
    #expect(StatusForm.plain.line(both) == "left (locked)")
    #expect(StatusForm.plain.line(nil) == "off")
  }

  @Test func `without a daemon the bar shows off`() throws {
    let module = try object(.waybar, nil)
    #expect(module["text"] as? String == "off")
    #expect(module["class"] as? [String] == ["off"])
    #expect(module["tooltip"] as? String == Markup.escaped(Message.notRunning.description))
    #expect(try object(.i3bar, nil)["full_text"] as? String == "off")
  }

  @Test func `only the text form has several lines`() {
    #expect(StatusForm.text.whole(report()) == report().text)
    #expect(StatusForm.json.whole(report()) == report().json)
    #expect(StatusForm.plain.whole(report()) == "left")
    #expect(StatusForm.text.line(nil) == Message.notRunning.description)
    #expect(StatusForm.json.line(nil) == "null")
  }
}
