// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

/// The message codes, which scripts depend on.
struct MessageCodeTests {
  /// Released codes stay: this list only grows.
  @Test func `no released code is removed`() {
    let codes = Set(Message.Code.allCases.map(\.rawValue))
    #expect(codes.count == Message.Code.allCases.count)
    #expect(Self.released.subtracting(codes) == [])
  }

  @Test func `the manual lists all codes`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let manual = try #require(
      SystemFile.text(of: "/\(root)/packaging/man/autorotate.1.scd", maximumBytes: 1 << 20))
    let section = try #require(
      manual.split(separator: "# REASON CODES\n").last?.split(separator: "\n# ").first)
    let words = section.split(separator: "*").map(String.init).filter { word in
      word.contains(".") && word.allSatisfy { $0.isLowercase || ".-".contains($0) }
        || ["not-allowed", "not-offered"].contains(word)
    }
    #expect(words.sorted() == Message.Code.allCases.map(\.rawValue).sorted())
  }

  @Test func `a reason has its own code or its messages code`() {
    #expect(Reason.waitsForFinger.message(on: nil).code == .fingerOnScreen)
    #expect(Reason.noSensor(Message(.sensorBusy, "It is busy.")).message(on: nil).code == .sensorBusy)
    #expect(
      Reason.lastRotationFailed(Message(.rotationIgnored, "No.")).message(on: nil).description
        == "The last rotation failed: No.")
  }

  private static let released: Set = [
    "settings.allow", "rule.allows", "rule.gives-way", "request.allows", "request.gives-way",
    "request.more", "lock.over-apps", "lock.set", "hold.set", "rotate.asked", "rule.pauses", "allowed.one",
    "posture.not-tablet", "posture.unknown", "device.held", "device.keeps", "not-allowed",
    "not-allowed.keeps", "not-allowed.preferred", "not-allowed.nearest", "desktop.turns", "touch.finger",
    "turn.under-way", "application.unknown", "display.off", "session.inactive", "system.suspended",
    "settings.faulty", "output.none", "output.unknown", "output.dark", "output.unplugged", "output.fixed",
    "turn.refused", "turn.ignored", "turn.unanswered", "turn.no-room", "display.none", "display.several",
    "display.unreachable", "display.unsupported", "display.silent", "display.refused", "display.ended",
    "display.nonsense", "bus.unreachable", "sensor.none", "sensor.unusable", "sensor.busy",
    "sensor.refused", "sensor.gone", "sensor.not-readable", "sensor.nonsense", "sensor.silent",
    "sensor.implausible", "sensor.proxy-absent", "sensor.unreachable", "sensor.mount-matrix",
    "sensor.gyroscope", "sensor.changed", "trace.unreadable", "trace.ended",
    "desktop.yields", "desktop.not-switched",
    "focus.known", "focus.unknown", "touch.follows", "touch.astray", "touch.none", "input.not-disabled",
    "hook.not-trusted", "hook.not-started", "hook.failed", "hook.late", "daemon.not-running",
    "daemon.running", "daemon.rival", "command.usage", "command.failed", "command.not-possible",
    "check.works", "check.not-applicable",
  ]
}
