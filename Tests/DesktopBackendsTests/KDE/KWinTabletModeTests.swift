// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

@testable import DesktopBackends

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct KWinTabletModeTests {
  private let home: PrivateBus
  private let own: Bus

  init() throws {
    home = try PrivateBus()
    own = try home.connect()
  }

  /// All answers to one question.
  private func answers() throws -> [Bool?] {
    var answers: [Bool?] = []
    KWinTabletMode.ask(own) { answers.append($0) }
    #expect(try home.run { !answers.isEmpty })
    try home.runPending()
    return answers
  }

  @Test func `without KWin there is one empty answer`() throws {
    _ = try own.callAndWait(.driver, "GetId")
    #expect(try answers() == [nil])
  }

  @Test(arguments: [Value.bool(true), .bool(false), .string("yes")])
  func `KWin's answer is a Boolean`(value: Value) throws {
    let kwin = try home.connect()
    let target = KWinTabletMode.target
    let property: BusProperty = ("tabletMode", value.typeSignature, { value })
    let exported = try kwin.export(
      BusInterface(name: target.interface, properties: [property]), at: target.path)
    _ = try kwin.requestName(target.service)
    #expect(try answers() == [try? value.read(as: Bool.self)])
    withExtendedLifetime(exported) {}
  }

  @Test func `a connection that has ended gives one empty answer`() throws {
    own.close()
    var answers: [Bool?] = []
    KWinTabletMode.ask(own) { answers.append($0) }
    #expect(answers == [nil])
  }
}
