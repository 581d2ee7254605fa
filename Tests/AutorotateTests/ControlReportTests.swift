// SPDX-License-Identifier: MIT

import System
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor struct ControlReportTests {
  private func report(_ change: (inout Status) -> Void = { _ in }, lockEndTime: UInt64 = 0) -> StatusReport {
    var status = Status.example
    change(&status)
    return StatusReport(status) { _ in lockEndTime }
  }

  @Test func `the report as JSON`() {
    #expect(
      report().json == """
        {"orientation":"left","device":"left-up","naturalOrientation":null,"lock":null,"onHold":false,"paused":false,"held":false,\
        "allowed":["normal","left","inverted","right"],"posture":"tablet",\
        "postureEvidence":[{"kind":"switch","name":"Hinge","driver":"intel-hid","node":"/dev/input/event5",\
        "says":"tablet","changed":null,"counts":true}],\
        "sensor":{"name":"accel_3d","state":"active"},"output":"eDP-1","outputs":["eDP-1"],"application":"mpv",\
        "suggestion":null,"reasons":["Your settings allow any.","Device orientation: left edge up."],\
        "reasonCodes":["settings.allow","device.held"]}
        """)
  }

  @Test func `a lock as JSON`() {
    let timed = report(
      { $0.lock = Lock(orientation: .right, end: .time(.init(nanoseconds: 5))) }, lockEndTime: 99)
    #expect(
      timed.json.contains(#""lock":{"orientation":"right","end":"time","endTime":99,"application":null}"#))
    let focus = report { $0.lock = Lock(orientation: .left, end: .focus(application: "mpv")) }
    #expect(
      focus.json.contains(#""lock":{"orientation":"left","end":"focus","endTime":null,"application":"mpv"}"#))
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("say \"a\\b\"", #""say \"a\\b\"""#), ("a\nb\r\tc", #""a\nb\r\tc""#),
    ("\u{0}\u{1B}\u{7F}", #""\u0000\u001b\u007f""#), ("ä☃\u{1F600}e\u{301}", "\"ä☃\u{1F600}e\u{301}\""),
    ("\r\n", #""\r\n""#), ("", #""""#),
  ])
  func `text is escaped`(_ text: String, _ json: String) {
    #expect(JSON.string(text).description == json)
  }

  @Test func `the text has one row per field`() {
    #expect(
      report().text == """
        Orientation  left
        Device       left-up
        Lock         unlocked
        Allowed      normal, left, inverted, right
        Posture      tablet, reported by “Hinge”
        Sensor       accel_3d (active)
        Output       eDP-1
        Application  mpv
        Reasons
          Your settings allow any.
          Device orientation: left edge up.
        """)
  }

  /// "Device  unknown" looked like a fault.
  @Test func `a device that is not read is not unknown`() {
    let asleep = report { ($0.device, $0.sensor) = (.unknown, .found(name: "accel_3d", isAsleep: true)) }
    #expect(asleep.text.contains("Device       not read while not needed\n"))
    #expect(asleep.headline == "left · device not read while not needed · unlocked")
    #expect(asleep.json.contains(#""device":"unknown""#))
  }

  @Test func `missing values are omitted or named`() {
    let text = report {
      $0.outputs = []
      $0.application = nil
      $0.sensor = .lost("unplugged")
      $0.isPaused = true
      $0.reasons = []
    }.text
    #expect(text.contains("Output       none"))
    #expect(text.contains("Sensor       none"))
    #expect(text.contains("Rotation     paused; to resume: autorotate resume"))
    #expect(!text.contains("Application"))
    #expect(!text.contains("Reasons"))
  }

  @Test func `the line has the status and the last reason`() {
    #expect(report().line == "left · device left-up · unlocked · Device orientation: left edge up.")
    let locked = report {
      $0.lock = Lock(orientation: .left, end: .unfolded)
      $0.isPaused = true
      $0.reasons = []
    }
    #expect(locked.line == "left · device left-up · locked (left edge up) until unfolded · paused")
  }

  @Test(arguments: [
    Reason.noOutputReported, .panelIsOff("eDP-1"), .displayIsOff, .sessionIsInactive, .suspended,
  ])
  func `a rotation that cannot be seen is not done`(_ reason: Reason) {
    let words = reason.message(on: nil).description
    #expect(report { $0.reasons = [.rotatedByUser(.right), reason] }.rotationFailure == words)
  }

  @Test func `the whole report is sent over the bus`() {
    let sent = report(
      {
        $0.lock = Lock(orientation: .right, end: .time(.init(nanoseconds: 1)))
        $0.suggestion = .normal
        $0.isPaused = true
      }, lockEndTime: 1_800_000_000)
    let received = StatusReport(
      Dictionary(uniqueKeysWithValues: StatusField.all.map { ($0.property.name, $0.part.value(sent)) }))
    #expect(received == sent)
    #expect(received.changes(from: sent) == [])
    #expect(
      Set(report().changes(from: sent)) == [
        "Lock", "LockEnd", "LockEndTime", "Suggestion", "OnHold", "Paused", "Held",
      ])
  }

  @Test func `each property is a field`() {
    #expect(Set(StatusField.all.map(\.property)) == Set(StatusProperty.allCases))
    #expect(StatusField.all.count == StatusProperty.allCases.count)
  }

  @Test func `a structure with another member is not read`() {
    let report = PostureReport(Status.example.postureEvidence[0]) { _ in 7 }
    #expect(PostureReport(report.value) == report)
    guard case .structure(var members) = report.value else { return }
    members[6] = .string("yes")
    #expect(PostureReport(.structure(members)) == nil)
    #expect(PostureReport(.structure(members.dropLast())) == nil)
  }

  @Test func `unknown values are ignored`() {
    let received = StatusReport(
      ["Lock": .uint32(3), "Reasons": .string("no list"), "FromTheFuture": .bool(true)])
    #expect(received == StatusReport())
  }
}
