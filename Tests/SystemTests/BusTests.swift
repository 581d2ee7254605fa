// SPDX-License-Identifier: MIT

import PrivateBus
import Testing

@testable import System

private let target = BusTarget(
  service: "org.example.Echo", path: "/org/example/Echo", interface: "org.example.Echo")

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct BusTests {
  let home: PrivateBus
  let server: Bus
  let client: Bus

  init() throws {
    home = try PrivateBus()
    server = try home.connect()
    client = try home.connect()
    #expect(try server.requestName(target.service) == .owned)
  }

  /// The answer to a call of the client.
  private func answer(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration = .forever
  ) throws -> Result<[Value], BusError>? {
    var result: Result<[Value], BusError>?
    try client.call(target, member, arguments, timeout: timeout) { result = $0 }
    #expect(try home.run { result != nil })
    return result
  }

  private func failure(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration = .forever
  ) throws -> BusError? {
    guard case .failure(let error) = try answer(target, member, arguments, timeout: timeout) else {
      return nil
    }
    return error
  }

  private func export(_ methods: [BusMethod]) throws -> ExportedInterface {
    try server.export(BusInterface(name: target.interface, methods: methods), at: target.path)
  }

  private static let everyType: [Value] = [
    .byte(255), .bool(true), .int16(-7), .uint16(7), .int32(.min), .uint32(.max), .int64(.min),
    .uint64(.max), .double(-0.5), .string("ä\n\"☃"), .objectPath("/a/b"), .signature("a{sv}"),
    .strings(["one", ""]), .array(of: "(ii)", []), .structure([.int32(1), .string("x")]),
    .variant(.strings(["in", "side"])), .dictionary(["a": .uint32(1), "b": .dictionary([:])]),
    .array(of: "{su}", [.entry(.string("k"), .uint32(2))]),
  ]

  @Test func `values of every type come back unchanged`() throws {
    let types = Self.everyType.map { BusArgument("value", $0.typeSignature) }
    let exported = try export([BusMethod("Echo", takes: types, returns: types) { $0.arguments }])
    #expect(try answer(target, "Echo", Self.everyType) == .success(Self.everyType))
    withExtendedLifetime(exported) {}
  }

  @Test func `a call of the wrong type never reaches the handler`() throws {
    var isCalled = false
    let exported = try export([
      BusMethod("Lock", takes: [BusArgument("orientation", "s")]) { _ in
        isCalled = true
        return []
      }
    ])
    for arguments: [Value] in [[], [.int32(3)], [.string("a"), .string("b")], [.variant(.string("a"))]] {
      #expect(try failure(target, "Lock", arguments)?.name == BusError.invalidArguments)
    }
    #expect(!isCalled)
    withExtendedLifetime(exported) {}
  }

  nonisolated private static let tooLong = Value.string(String(repeating: "x", count: 1025))

  @Test(arguments: [
    tooLong, .variant(tooLong), .structure([tooLong]), .array(of: "s", [tooLong]),
    .dictionary(["a": tooLong]),
    .array(of: "b", Array(repeating: .bool(true), count: 17)),
    .dictionary(Dictionary(uniqueKeysWithValues: (0..<17).map { ("\($0)", .bool(true)) })),
  ])
  func `no part of an argument exceeds the limits`(value: Value) throws {
    var isCalled = false
    let method = BusMethod("Take", takes: [BusArgument("value", value.typeSignature, maximumCount: 16)]) {
      _ in
      isCalled = true
      return []
    }
    let exported = try export([method])
    #expect(try failure(target, "Take", [value])?.name == BusError.invalidArguments)
    #expect(!isCalled)
    withExtendedLifetime(exported) {}
  }

  private func take(_ values: [Value]) throws -> Result<[Value], BusError>? {
    let type = BusArgument("values", "a" + (values.first?.typeSignature ?? "s"), maximumCount: 2000)
    let exported = try export([BusMethod("Take", takes: [type]) { _ in [] }])
    defer { withExtendedLifetime(exported) {} }
    return try answer(target, "Take", [.array(of: String(type.type.dropFirst()), values)])
  }

  @Test func `a call holds 65536 bytes of text and no more`() throws {
    let texts = Array(repeating: Value.string(String(repeating: "x", count: 1024)), count: 64)
    #expect(try take(texts) == .success([]))
    #expect(try take(texts + [.string("x")])?.isFailure == true)
  }

  /// The array itself counts as one.
  @Test func `a call holds 1024 values and no more`() throws {
    let values = Array(repeating: Value.bool(true), count: 1023)
    #expect(try take(values) == .success([]))
    #expect(try take(values + [.bool(true)])?.isFailure == true)
  }

  private func answer(_ values: [Value], of type: String) throws -> Result<[Value], BusError>? {
    let exported = try export([
      BusMethod("List", returns: [BusArgument("values", "a\(type)")]) { _ in values }
    ])
    defer { withExtendedLifetime(exported) {} }
    return try answer(target, "List")
  }

  /// The array itself counts as one.
  @Test func `an answer holds 500000 values and no more`() throws {
    let values = Array(repeating: Value.byte(1), count: 499_999)
    #expect(try answer([.array(of: "y", values)], of: "y")?.isFailure == false)
    #expect(try answer([.array(of: "y", values + [.byte(1)])], of: "y")?.isFailure == true)
  }

  @Test func `an answer holds 8388608 bytes of text and no more`() throws {
    let text = Value.string(String(repeating: "𝄞", count: 2 << 20))
    #expect(try answer([.array(of: "s", [text])], of: "s")?.isFailure == false)
    #expect(try answer([.array(of: "s", [text, .string("x")])], of: "s")?.isFailure == true)
  }

  @Test func `errors keep their name and message across the bus`() throws {
    struct Odd: Error, CustomStringConvertible { let description = "oddly broken" }
    let exported = try export([
      BusMethod("Named") { _ in throw BusError("org.example.Error.Sad", "so sad") },
      BusMethod("Unnamed") { _ in throw Odd() },
      BusMethod("Misnamed") { _ in throw BusError("not a name", "still reported") },
      BusMethod("Mistyped", returns: [BusArgument("a", "s")]) { _ in [.int32(1)] },
    ])
    #expect(try failure(target, "Named") == BusError("org.example.Error.Sad", "so sad"))
    #expect(try failure(target, "Unnamed") == BusError(BusError.failed, "oddly broken"))
    #expect(try failure(target, "Misnamed") == BusError(BusError.failed, "still reported"))
    #expect(try failure(target, "Mistyped")?.name == BusError.failed)
    #expect(try failure(target, "Missing")?.name == BusError.unknownMethod)
    withExtendedLifetime(exported) {}
  }

  @Test func `a handler may answer later`() throws {
    var kept: MethodCall?
    let exported = try export([
      BusMethod.later("Wait", returns: [BusArgument("a", "s")], { kept = $0 })
    ])
    var result: Result<[Value], BusError>?
    try client.call(target, "Wait") { result = $0 }
    #expect(try home.run { kept != nil })
    #expect(result == nil)
    kept?.reply([.string("at last")])
    kept?.reply([.string("twice")])
    kept = nil
    #expect(try home.run { result != nil })
    #expect(result == .success([.string("at last")]))
    withExtendedLifetime(exported) {}
  }

  @Test func `a dropped call is answered with an error`() throws {
    let exported = try export([BusMethod.later("Forget", { _ in })])
    let dropped = BusError(BusError.noReply, "the call was dropped without an answer")
    #expect(try failure(target, "Forget") == dropped)
    withExtendedLifetime(exported) {}
  }

  @Test func `a call times out`() throws {
    var kept: [MethodCall] = []
    let exported = try export([BusMethod.later("Wait", { kept.append($0) })])
    #expect(try failure(target, "Wait", timeout: .milliseconds(20))?.name == BusError.noReply)
    withExtendedLifetime(exported) {}
  }

  @Test func `a withdrawn object is unknown`() throws {
    var exported: ExportedInterface? = try export([BusMethod("Ping") { _ in [] }])
    #expect(try answer(target, "Ping") == .success([]))
    #expect(exported != nil)
    exported = nil
    #expect(try failure(target, "Ping") != nil)
  }

  @Test func `a handler may withdraw its own object`() throws {
    var exported: ExportedInterface?
    exported = try export([
      BusMethod("Leave") { _ in
        exported = nil
        return []
      }
    ])
    #expect(try answer(target, "Leave") == .success([]))
    #expect(exported == nil)
    #expect(try failure(target, "Leave") != nil)
  }

  @Test func `properties are read and watched`() throws {
    var level: UInt32 = 1
    let exported = try server.export(
      BusInterface(
        name: target.interface,
        properties: [
          ("Level", "u", { .uint32(level) }),
          ("Broken", "u", { .string("?") }),
        ]), at: target.path)
    let get = try answer(target.properties, "Get", [.string(target.interface), .string("Level")])
    #expect(get == .success([.variant(.uint32(1))]))
    let broken = try failure(target.properties, "Get", [.string(target.interface), .string("Broken")])
    #expect(broken == BusError(BusError.failed, "Broken has a value of a wrong type: s"))

    var changes: [[Value]] = []
    let watch = try client.match(SignalRule(target.properties, "PropertiesChanged")) {
      changes.append((try? $0.arguments()) ?? [])
    }
    level = 2
    // The bus works in order: after its answer the rule is in place.
    _ = try answer(.driver, "GetId")
    try exported.emitPropertiesChanged(["Level"])
    #expect(try home.run { !changes.isEmpty })
    let expected: [Value] = [.string(target.interface), .dictionary(["Level": .uint32(2)]), .strings([])]
    #expect(changes == [expected])
    withExtendedLifetime(watch) {}
  }

  @Test func `signals reach their subscribers`() throws {
    let exported = try server.export(
      BusInterface(name: target.interface, signals: [("Turned", [.init("to", "s")])]),
      at: target.path)
    var seen: [Value] = []
    let other = try client.match(SignalRule(target, "Other")) { _ in Issue.record("not asked for") }
    do {
      let first = try client.match(SignalRule(target, "Turned")) { seen += (try? $0.arguments()) ?? [] }
      _ = try answer(.driver, "GetId")
      try exported.emit("Turned", [.string("left")])
      #expect(try home.run { !seen.isEmpty })
      withExtendedLifetime(first) {}
    }
    try exported.emit("Turned", [.string("right")])
    try home.deliver()
    #expect(seen == [.string("left")])
    withExtendedLifetime(other) {}
  }

  /// The second one would add a rule for another object.
  @Test(arguments: ["It's", "Struck',path='/org/example/Other"])
  func `a rule with a quote is refused`(member: String) {
    #expect(throws: BusError.self) {
      try client.match(SignalRule(sender: target.service, member: member)) { _ in }
    }
  }

  @Test func `an unsendable answer is an error for the caller`() throws {
    let exported = try export([BusMethod.later("Bad", { $0.reply([.objectPath("not one")]) })])
    let error = try #require(try failure(target, "Bad"))
    #expect(error.name != BusError.noReply)
    withExtendedLifetime(exported) {}
  }

  @Test func `a call that cannot be sent throws`() {
    let nowhere = BusTarget(service: "no name", path: "no path", interface: "no interface")
    #expect(throws: BusError.self) { try client.call(nowhere, "Ping") { _ in } }
    #expect(throws: BusError.self) {
      try client.call(target, "Ping", [.array(of: "s", [.int32(1)])]) { _ in }
    }
    #expect(throws: BusError.self) { try client.call(target, "Ping", [.objectPath("not one")]) { _ in } }
    #expect(throws: BusError.self) { try client.call(target, "Ping", [.objectPath("/a\0/b")]) { _ in } }
  }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
