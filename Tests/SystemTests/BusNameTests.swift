// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import Testing
import Waiting

@testable import System

private let name = "org.example.Name"

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct BusNameTests {
  let home: PrivateBus

  init() throws {
    home = try PrivateBus()
  }

  @Test func `a name has one owner`() throws {
    let first = try home.connect()
    let second = try home.connect()
    #expect(try first.requestName(name) == .owned)
    #expect(try first.requestName(name) == .owned)
    #expect(try second.requestName(name) == .taken(byProcess: UInt32(getpid())))
    _ = try first.callAndWait(.driver, "ReleaseName", [.string(name)])
    #expect(try second.requestName(name) == .owned)
  }

  @Test func `an owned name cannot be replaced`() throws {
    let owner = try home.connect()
    var ownership: Result<NameOwnership, BusError>?
    try owner.requestName(name) { ownership = $0 }
    #expect(try home.run { ownership == .success(.owned) })
    let (replaceAndDoNotQueue, exists): (UInt32, UInt32) = (2 | 4, 3)
    let other = try home.connect()
    let arguments: [Value] = [.string(name), .uint32(replaceAndDoNotQueue)]
    #expect(try other.ask(.driver, "RequestName", arguments) == [.uint32(exists)])
  }

  @Test func `a refused request does not wait for the name`() throws {
    let (owner, other) = (try home.connect(), try home.connect())
    #expect(try owner.requestName(name) == .owned)
    #expect(try home.run { other.isReady })
    let ownership = { try other.requestNameAndWait(name, timeout: .nanoseconds(EventLoop.limit)) }
    #expect(try ownership() == .taken(byProcess: UInt32(getpid())))
    owner.close()
    try home.flush()
    #expect(throws: BusError.self) { try other.ask(.driver, "GetNameOwner", [.string(name)]) }
    #expect(try ownership() == .owned)
    #expect(try ownership() == .owned)
  }

  @Test func `watches of one name are called in their order`() throws {
    let bus = try home.connect()
    var calls: [Int] = []
    var watches = try (1...3).map { number in
      try bus.watchName(name) { owner in if owner != nil { calls.append(number) } }
    }
    #expect(try bus.requestName(name) == .owned)
    #expect(try home.run { calls.count >= 3 })
    #expect(calls == [1, 2, 3])
    watches.remove(at: 1)
    _ = try bus.ask(.driver, "ReleaseName", [.string(name)])
    #expect(try bus.requestName(name) == .owned)
    #expect(try home.run { calls.count >= 5 })
    #expect(calls == [1, 2, 3, 1, 3])
    withExtendedLifetime(watches) {}
  }

  @Test func `an invalid name is an error`() throws {
    let bus = try home.connect()
    #expect(throws: BusError.self) { try bus.requestName("not a name") }
    #expect(bus.isReady)
  }

  @Test func `each change of the owner is reported`() throws {
    let watcher = try home.connect()
    let owner = try home.connect()
    var owners: [String?] = []
    let watch = try watcher.watchName(name) { owners.append($0) }
    #expect(try home.run { owners.count == 1 })
    #expect(owners == [nil])
    #expect(try owner.requestName(name) == .owned)
    #expect(try home.run { owners.count == 2 })
    #expect(owners[1] != nil)
    owner.close()
    #expect(try home.run { owners.count == 3 })
    #expect(owners[2] == nil)
    withExtendedLifetime(watch) {}
  }

  @Test func `watches of one name share its owner`() throws {
    let bus = try home.connect()
    let owner = try bus.owner(of: name)
    #expect(try bus.owner(of: name) === owner)
  }

  @Test func `another watch of a name reports nothing to the first`() throws {
    let watcher = try home.connect()
    var reports = [0, 0]
    let first = try watcher.watchName(name) { _ in reports[0] += 1 }
    #expect(try home.run { reports[0] == 1 })
    let second = try watcher.watchName(name) { _ in reports[1] += 1 }
    #expect(try home.run { reports[1] == 1 })
    #expect(reports[0] == 1)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a current owner is reported once`() throws {
    let watcher = try home.connect()
    #expect(try watcher.requestName(name) == .owned)
    var owners: [String?] = []
    let watch = try watcher.watchName(name) { owners.append($0) }
    #expect(try home.run { !owners.isEmpty })
    // Another watch makes the bus report again.
    var isReported = false
    let other = try watcher.watchName(name) { _ in isReported = true }
    #expect(try home.run { isReported })
    #expect(owners.count == 1)
    #expect(owners[0]?.hasPrefix(":") == true)
    withExtendedLifetime((watch, other)) {}
  }

  @Test func `a released watch reports nothing`() throws {
    let bus = try home.connect()
    _ = try bus.watchName(name) { _ in Issue.record("was released") }
    #expect(try bus.requestName(name) == .owned)
    try home.deliver()
  }

  @Test func `a call to an absent service fails`() throws {
    let bus = try home.connect()
    let absent = BusTarget(service: name, path: "/", interface: name)
    let error = #expect(throws: BusError.self) { try bus.callAndWait(absent, "Ping") }
    #expect(error?.isServiceMissing == true)
  }

  @Test func `the end of the bus is reported once`() throws {
    let bus = try home.connect()
    let interface = BusTarget(service: name, path: "/", interface: name)
    var kept: MethodCall?
    let never = BusMethod.later("Wait", { kept = $0 })
    let exported = try bus.export(BusInterface(name: name, methods: [never]), at: "/")
    var closed = 0
    var answers: [Result<[Value], BusError>] = []
    bus.onClosed = { closed += 1 }
    #expect(try bus.requestName(name) == .owned)
    try bus.call(interface, "Wait") { answers.append($0) }
    #expect(try home.run { kept != nil })
    home.kill()
    #expect(try home.run { closed > 0 })
    try home.runPending()
    #expect(closed == 1)
    #expect(answers.count == 1)
    #expect(throws: BusError.self) { try answers.first?.get() }
    #expect(!bus.isReady)
    kept?.reply()
    #expect(throws: BusError.self) { try exported.emit("Late") }
    #expect(throws: BusError.self) { try bus.callAndWait(.driver, "GetId") }
    #expect(throws: BusError.self) { try bus.call(.driver, "GetId") { _ in } }
  }

  @Test func `the connection may be released when the bus ends`() throws {
    var bus: Bus? = try home.connect()
    var isClosed = false
    let watch = try bus?.watchName(name) { _ in }
    bus?.onClosed = {
      bus = nil
      isClosed = true
    }
    try home.runPending()
    home.kill()
    #expect(try home.run { isClosed })
    #expect(bus == nil)
    withExtendedLifetime(watch) {}
    try home.runPending()
  }

  @Test func `closing is not reported as an end`() throws {
    let bus = try home.connect()
    bus.onClosed = { Issue.record("was closed on purpose") }
    try bus.call(.driver, "GetId") { _ in Issue.record("was closed on purpose") }
    bus.close()
    try home.runPending()
    #expect(!bus.isReady)
  }

  private final class Held {}

  /// - Returns: whether an object retained by a callback is still alive.
  private func holding(
    _ callback: ReferenceWritableKeyPath<Bus, (() -> Void)?>, of bus: Bus
  ) -> () -> Bool {
    let held = Held()
    bus[keyPath: callback] = { withExtendedLifetime(held) {} }
    return { [weak held] in held != nil }
  }

  /// A callback may retain an object that retains the bus.
  @Test(arguments: [true, false])
  func `a bus that has ended keeps no callback`(isClosed: Bool) throws {
    let bus = try home.connect()
    #expect(try home.run { bus.isReady })
    try home.runPending()
    let areHeld = [\Bus.onSilent, \.onClosed].map { holding($0, of: bus) }
    if isClosed { bus.close() } else { home.kill() }
    #expect(try home.run { !bus.isReady })
    try home.runPending()
    #expect(areHeld.map { $0() } == [false, false])
  }

  @Test func `callbacks of the handshake are released after it`() throws {
    let bus = try home.connect()
    let areHeld = [\Bus.onSilent].map { holding($0, of: bus) }
    #expect(try home.run { areHeld.allSatisfy { !$0() } })
  }

  @Test func `a second request for an owned name succeeds`() throws {
    let bus = try home.connect()
    var answers: [Result<NameOwnership, BusError>] = []
    for _ in 1...2 { try bus.requestName(name) { answers.append($0) } }
    #expect(try home.run { answers.count == 2 })
    #expect(answers == [.success(.owned), .success(.owned)])
  }

  @Test func `owners of names without watches are released`() throws {
    let bus = try home.connect()
    _ = try bus.watchName(name) { _ in }
    try home.runPending()
    let other = try bus.watchName("org.example.Other") { _ in }
    #expect(Set(bus.owners.keys) == ["org.example.Other"])
    withExtendedLifetime(other) {}
  }

  @Test func `an object that cannot be bound is released`() {
    var held: Held? = Held()
    weak let isHeld = held
    #expect(throws: BusError.self) {
      try SlotContext.bind(held ?? Held(), "binding") { _, _ in -EINVAL }
    }
    held = nil
    #expect(isHeld == nil)
  }

  @Test func `a missing bus is an error`() {
    let error = #expect(throws: BusError.self) { try Bus(.at(address: "unix:path=/nonexistent/bus")) }
    #expect(error?.name == BusError.noServer)
    #expect(throws: BusError.self) { try Bus(.at(address: "garbage")) }
    #expect(throws: BusError.self) { try Bus(.at(address: "")) }
  }
}
