// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

private let target = BusTarget(
  service: "org.example.Clock", path: "/org/example/Clock", interface: "org.example.Clock")

/// Signals sent to one connection reach it regardless of its match rules, and may contain any name: only the bus knows
/// their sender (see CVE-2024-34397 of GLib).
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct SpoofedSignalTests {
  @MainActor private final class Log { var words: [String] = [] }

  let home: PrivateBus
  private let client: Bus
  private let stranger: Stranger
  private let log = Log()

  init() throws {
    home = try PrivateBus()
    client = try home.connect()
    stranger = try Stranger(on: home)
  }

  private func listen() throws -> Subscription {
    try client.match(SignalRule(target, "Struck")) { [log] signal in
      log.words.append((try? signal.arguments().read(0)) ?? "?")
    }
  }

  private func clock() throws -> (bus: Bus, strike: (String) throws -> Void) {
    let bus = try home.connect()
    let exported = try bus.export(
      BusInterface(
        name: target.interface, signals: [("Struck", [.init("hour", "s")])]),
      at: target.path)
    #expect(try bus.requestName(target.service) == .owned)
    return (bus, { try exported.emit("Struck", [.string($0)]) })
  }

  /// Waits until the client's match rules are in place, and it has received all messages.
  private func settle() throws {
    var isAnswered = false
    try client.call(.driver, "GetId") { _ in isAnswered = true }
    #expect(try home.run { isAnswered })
    try stranger.settle()
  }

  @Test func `a signal from another than the owner is ignored`() throws {
    let (bus, strike) = try clock()
    let watch = try listen()
    try settle()
    try stranger.signalAll(target, "Struck", [.string("thirteen")])
    try settle()
    #expect(log.words.isEmpty)
    try strike("one")
    #expect(try home.run { !log.words.isEmpty })
    #expect(log.words == ["one"])
    withExtendedLifetime((bus, watch)) {}
  }

  @Test func `a signal for a name without owner is ignored`() throws {
    let watch = try listen()
    try stranger.signalAll(target, "Struck", [.string("before anything is known")])
    try settle()
    try stranger.signalAll(target, "Struck", [.string("while nobody has the name")])
    try settle()
    #expect(log.words.isEmpty)
    let (bus, strike) = try clock()
    try strike("one")
    #expect(try home.run { !log.words.isEmpty })
    #expect(log.words == ["one"])
    withExtendedLifetime((bus, watch)) {}
  }

  @Test func `the first signal of the next owner is received`() throws {
    let watch = try listen()
    try settle()
    for hour in ["one", "two", "three"] {
      let (bus, strike) = try clock()
      try strike(hour)
      #expect(try home.run { log.words.last == hour })
      bus.close()
    }
    #expect(log.words == ["one", "two", "three"])
    withExtendedLifetime(watch) {}
  }

  @Test func `only the bus can report a new owner`() throws {
    let (bus, strike) = try clock()
    let watch = try listen()
    var owners: [String?] = []
    let names = try client.watchName(target.service) { owners.append($0) }
    #expect(try home.run { owners.count == 1 })
    try stranger.spoofOwner(":1.666", of: target.service, was: owners[0] ?? "")
    try stranger.spoofOwner("", of: target.service, was: owners[0] ?? "")
    try stranger.signalAll(target, "Struck", [.string("thirteen")])
    try settle()
    #expect(owners.count == 1)
    try strike("one")
    #expect(try home.run { !log.words.isEmpty })
    #expect(log.words == ["one"])
    withExtendedLifetime((bus, watch, names)) {}
  }

  @Test func `signals in the name of the bus are ignored`() throws {
    let watch = try client.match(SignalRule(.driver, "NameOwnerChanged")) { [log] _ in
      log.words.append("changed")
    }
    client.onClosed = { [log] in log.words.append("closed") }
    try settle()
    try stranger.spoofOwner(":1.666", of: "org.example.Other")
    try settle()
    #expect(log.words.isEmpty)
    withExtendedLifetime(watch) {}
  }

  @Test func `an answer from another connection is ignored`() throws {
    let (bus, _) = try clock()
    var kept: MethodCall?
    let wait = BusMethod.later("Wait", returns: [BusArgument("word", "s")], { kept = $0 })
    let exported = try bus.export(BusInterface(name: target.interface, methods: [wait]), at: "/wait")
    var answers: [Result<[Value], BusError>] = []
    let question = BusTarget(service: target.service, path: "/wait", interface: target.interface)
    try client.call(question, "Wait") { answers.append($0) }
    #expect(try home.run { kept != nil })
    for number in 1...UInt32(20) {
      try stranger.send(.reply, to: ":1.0", answering: number, [.string("thirteen")])
    }
    try settle()
    #expect(answers.isEmpty)
    kept?.reply([.string("one")])
    #expect(try home.run { !answers.isEmpty })
    #expect(answers == [.success([.string("one")])])
    withExtendedLifetime(exported) {}
  }
}
