// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation
@testable import autorotate

struct NotificationBoardTests {
  private var board = NotificationBoard()

  private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  private func content(at seconds: Double) -> NotificationBoard.Content? {
    board.content(at: Self.at(seconds))
  }

  private mutating func publish(_ reasons: [Reason], at seconds: Double) {
    var status = Status.example
    status.reasons = reasons
    board.publish(status, at: Self.at(seconds))
  }

  private mutating func report(_ text: String, of fault: Fault? = .noSensor, at seconds: Double) {
    board.note(Message(.sensorRemoved, Phrase(verbatim: text)), of: fault, at: Self.at(seconds))
  }

  @Test mutating func aWithdrawnSuggestionIsRemoved() {
    board.suggestion = .left
    #expect(content(at: 10) == .suggestion(.left))
    #expect(board.deadline(after: Self.at(10)) == nil)
    board.suggestion = nil
    #expect(content(at: 11) == nil)
  }

  @Test mutating func aFaultIsShownAfterFiveSeconds() {
    report("gone", at: 0)
    publish([.noSensor("gone")], at: 0)
    #expect(content(at: 4.9) == nil)
    #expect(board.deadline(after: Self.at(0)) == Self.at(5))
    #expect(content(at: 5) == .fault(.noSensor, "gone"))
    publish([], at: 60)
    #expect(content(at: 60) == nil)
    #expect(board.deadline(after: Self.at(60)) == nil)
  }

  @Test mutating func aShortFaultIsNotShown() {
    report("gone", at: 0)
    publish([.noSensor("gone")], at: 0)
    publish([], at: 3)
    #expect(content(at: 10) == nil)
    #expect(board.deadline(after: Self.at(3)) == nil)
    publish([.noSensor("gone")], at: 20)
    #expect(content(at: 24) == nil)
    #expect(content(at: 25) == .fault(.noSensor, "gone"))
  }

  @Test mutating func aRetriedRotationHasNotSucceededYet() {
    report("no", of: .lastRotationFailed, at: 0)
    publish([.lastRotationFailed("no")], at: 0)
    publish([.rotating(.left)], at: 1)
    publish([.lastRotationFailed("no, too")], at: 2)
    #expect(content(at: 5) == .fault(.lastRotationFailed, "no"))
    publish([.rotating(.left)], at: 6)
    #expect(content(at: 6) == .fault(.lastRotationFailed, "no"))
    publish([], at: 7)
    #expect(content(at: 7) == nil)
  }

  @Test mutating func aSuggestionHasPriorityOverAFault() {
    report("gone", at: 0)
    publish([.noSensor("gone")], at: 0)
    board.suggestion = .left
    #expect(content(at: 6) == .suggestion(.left))
    board.suggestion = nil
    #expect(content(at: 11) == .fault(.noSensor, "gone"))
  }

  @Test mutating func aDismissedFaultIsNotShownAgain() throws {
    report("gone", at: 0)
    publish([.noSensor("gone")], at: 0)
    board.dismiss(try #require(content(at: 5)))
    report("gone", at: 6)
    #expect(content(at: 20) == nil)
    publish([], at: 21)
    report("gone", at: 22)
    publish([.noSensor("gone")], at: 22)
    #expect(content(at: 27) == .fault(.noSensor, "gone"))
  }

  @Test mutating func theNewestFaultIsShown() throws {
    report("gone", at: 0)
    publish([.noSensor("gone")], at: 0)
    report("line 3", of: .settings, at: 1)
    publish([.noSensor("gone"), .settingsAreFaulty("line 3")], at: 1)
    #expect(content(at: 5) == .fault(.noSensor, "gone"))
    #expect(content(at: 6) == .fault(.settings, "line 3"))
    board.dismiss(try #require(content(at: 6)))
    #expect(content(at: 6) == .fault(.noSensor, "gone"))
  }

  @Test mutating func aNewTextOfAFaultReplacesTheOld() {
    report("line 3", of: .settings, at: 0)
    publish([.settingsAreFaulty("line 3")], at: 0)
    report("line 4", of: .settings, at: 7)
    #expect(content(at: 7) == nil)
    #expect(content(at: 12) == .fault(.settings, "line 4"))
  }

  @Test mutating func disabledFaultsAreNotShown() {
    board.showsFaults = false
    report("gone", at: 0)
    publish([.noSensor("gone")], at: 0)
    #expect(content(at: 9) == nil)
    #expect(board.deadline(after: Self.at(0)) == nil)
    board.suggestion = .left
    #expect(content(at: 10) == .suggestion(.left))
  }

  @Test mutating func messagesWithoutAFaultAreNotShown() {
    report("GNOME rotates the screen itself.", of: nil, at: 0)
    publish([.desktopRotates("GNOME rotates the screen itself.")], at: 0)
    #expect(content(at: 60) == nil)
  }
}
