// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing

@testable import DesktopBackends
@testable import SensorSources

/// Every message is translated completely. The inserted values have no letters, so any letter that is left without the
/// translated sentences is untranslated.
@MainActor struct TranslationTests {
  private static let sensorMessages: [Message] =
    [
      .noAccelerometer, .unusable("…"), .invalidValue("…", in: "…", of: "…"),
      .silentAccelerometer("…", seconds: 1),
      .noSystemBus("…"), .noProxy, .noAccelerometerOfProxy, .proxyRefuses("…"), .proxyIsSilent,
      .invalidProxyAnswer("…"),
    ] + MountMatrixChoice.choose(override: nil, from: [.init(source: "…", text: "…")]).problems

  private static let gnome = MutterDesktop(
    kind: .gnome, name: "…", process: "…", service: "…", settings: "…")

  private static let displayMessages: [Message] = [
    .noSuchOutput("…", among: []), .noSuchOutput("…", among: ["…"]), .switchedOff("…", next: "…"),
    .isBlanked("…"),
    .unplugged("…"), .xServerHasEnded, .randRStatus(1), .randRStatus(2), .randRStatus(3),
    .noXDisplay, .cannotConnectToX("…"), .silentX("…"), .isXWayland("…"), .tooOldX("…"), .compositorHasEnded,
    .noWaylandDisplay, .noRuntimeDirectory(display: "…"), .noCompositor(on: "…"),
    .cannotConnect(to: "…", reason: "…"), .notACompositor("…", reason: .compositorHasEnded),
    .silentCompositor(on: "…"), .compositor(on: "…", lacks: "…"), .noAnswer,
    .nobodyListens(at: "…", reason: "…"), .connectionClosed, .silence, .garbled("…"), .refusal("…"),
    gnome.noSessionBus(BusError("…", "")), gnome.isNotRunning, gnome.timedOut, gnome.invalidAnswer("…"),
    gnome.failure(BusError("…", ""), of: "…"), gnome.rotationAdvice, gnome.returnedRotation,
  ]

  /// All sessions without a backend.
  private static var sessions: [Message] {
    let gone = Message(.displayUnreachable, "…")
    let descriptions: [SessionDescription] = [
      SessionDescription(), SessionDescription(environment: ["XDG_SESSION_TYPE": "wayland"]),
      SessionDescription(wayland: .globals(["gtk_shell1"])), SessionDescription(wayland: .globals([])),
      SessionDescription(wayland: .unreachable(gone)), SessionDescription(x11: .unreachable(gone)),
    ]
    return descriptions.compactMap { session in
      do throws(Message) {
        _ = try session.choice()
        return nil
      } catch { return error }
    }
  }

  /// Bus failures were reported in English within translated messages.
  private static let busFaults: [Message] = [
    BusError.Fault.silent(.session), .silent(.system), .silent(.at(address: "…")),
    .unreachable(.session, reason: "…"), .withoutAddress(.session), .ended("…", reason: "…"),
    .unanswered("…"),
  ].map { Message(.busUnreachable, "\(BusError("…", "English", $0) as any Error)") }

  private static let reasons: [Reason] = [
    .desktopAllows(.all), .ruleConflicts(application: "…", source: "…", request: nil), .moreRequests(1),
    .moreRequests(2),
    .lockOverridesApplications, .notUpright(.unknown), .waitsForFinger, .noSensor(.noProxy),
    .sensorIsImplausible, .noOutputReported,
    .noOutput(named: OutputChoice()), .noOutput(named: OutputChoice(["…"])), .panelIsOff("…"),
    .outputIsFixed("…"),
    .lastRotationFailed(.isBlanked("…")),
    .outputNotRestored(.notRestored("…", because: nil)),
    .displayIsOff,
    .sessionIsInactive, .suspended, .settingsAreFaulty("…"), .desktopRotates(gnome.rotationAdvice),
    .desktopNotRotating(gnome.rotationAdvice),
  ]

  @Test func `every message is translated`() throws {
    let german = try Self.german()
    let policies = [KWinRotationPolicy.inTabletMode, .always].compactMap(\.message)
    let messages =
      Self.sensorMessages + Self.displayMessages + Self.busFaults + Self.sessions + policies
      + Self.reasons.map { $0.message(on: .landscape) }
    for message in messages {
      let rest = message.phrase.text { template in
        #expect(german[template]?.isEmpty == false, "not translated: \(template)")
        return Self.inserts(of: template)
      }
      #expect(!rest.contains { $0.isLetter }, "“\(rest)” is left of “\(message)”")
    }
  }

  /// The reason why a sensor cannot be read is the system's message, which the system translates.
  @Test(arguments: [EBUSY, EACCES, ENODEV, EIO]) func `a system error is inserted`(code: Int32) throws {
    let german = try Self.german()
    let message = Message.unreadable("…", code: code)
    for phrase in [message.what, message.next ?? ""] { #expect(german[phrase.template] != nil) }
  }

  private static func inserts(of template: String) -> String {
    (1...9).map { "%\($0)$s" }.filter(template.contains).joined(separator: " ")
  }

  /// `po/de.po`.
  private static func german() throws -> [String: String] {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try #require(SystemFile.text(of: "/\(root)/po/de.po", maximumBytes: 1 << 22))
    var entries: [String: String] = [:]
    for entry in text.split(separator: "\n\n") {
      let parts = entry.split(separator: "\nmsgstr ")
      guard parts.count == 2, let key = parts[0].split(separator: "msgid ").last else { continue }
      entries[unquoted(key)] = unquoted(parts[1])
    }
    return entries
  }

  /// The content of several quoted lines.
  private static func unquoted(_ lines: Substring) -> String {
    let whole = lines.split(separator: "\n").map { $0.dropFirst().dropLast() }.joined()
    return whole.replacing("\\\"", with: "\"").replacing("\\n", with: "\n").replacing("\\\\", with: "\\")
  }
}
