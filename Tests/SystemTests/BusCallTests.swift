// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import Testing

@testable import System

private let target = BusTarget(
  service: "org.example.Ask", path: "/org/example/Ask", interface: "org.example.Ask")

/// What a connection keeps for its calls and subscriptions.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct BusCallTests {
  private final class Held {}

  private let home: PrivateBus
  private let server: Bus
  private let client: Bus

  init() throws {
    home = try PrivateBus()
    server = try home.connect()
    client = try home.connect()
    #expect(try server.requestName(target.service) == .owned)
    let areReady = try home.run { [server, client] in server.isReady && client.isReady }
    #expect(areReady)
  }

  private func export(_ method: BusMethod) throws -> ExportedInterface {
    try server.export(BusInterface(name: target.interface, methods: [method]), at: target.path)
  }

  /// A service can then see that the caller no longer waits.
  @Test func `a separate connection ends with the answer`() throws {
    var kept: MethodCall?
    let exported = try export(BusMethod.later("Wait", { kept = $0 }))
    var answer: Result<[Value], BusError>?
    try client.callSeparately(target, "Wait", timeout: .forever) { answer = $0 }
    #expect(try home.run { kept != nil })
    let sender = try #require(kept?.sender)
    let isConnected = { try client.ask(.driver, "NameHasOwner", [.string(sender)]) == [.bool(true)] }
    #expect(try sender != client.uniqueName() && isConnected())
    kept?.reply()
    #expect(try home.run { answer != nil })
    #expect(answer == .success([]))
    #expect(try home.run { try !isConnected() })
    withExtendedLifetime(exported) {}
  }

  @Test func `a separate connection ends with its timeout`() throws {
    var kept: MethodCall?
    let exported = try export(BusMethod.later("Wait", { kept = $0 }))
    var answer: Result<[Value], BusError>?
    try client.callSeparately(target, "Wait", timeout: .milliseconds(300)) { answer = $0 }
    #expect(try home.run { answer != nil })
    guard case .failure(let error) = answer else {
      Issue.record("nobody has answered")
      return
    }
    #expect(error.isReplyTimeout)
    withExtendedLifetime((exported, kept)) {}
  }

  @Test func `a closed bus makes no separate connection`() {
    client.close()
    let error = #expect(throws: BusError.self) {
      try client.callSeparately(target, "Wait", timeout: .forever) { _ in Issue.record("was called") }
    }
    #expect(error?.name == BusError.disconnected)
  }

  @Test func `a released subscription releases its handler`() throws {
    var held: Held? = Held()
    weak let isHeld = held
    var watch: Subscription? = try client.match(SignalRule(.driver, "NameLost")) { [held] _ in
      withExtendedLifetime(held) {}
    }
    held = nil
    withExtendedLifetime(watch) { #expect(isHeld != nil) }
    watch = nil
    #expect(isHeld == nil)
  }

  @Test func `a bus that ends during a blocking call is reported as ended`() throws {
    home.kill()
    let error = #expect(throws: BusError.self) { try client.callAndWait(.driver, "GetId") }
    #expect(error?.name == BusError.disconnected)
  }

  @Test func `a signal for one connection reaches no other`() throws {
    var received: [String] = []
    let subscribe = { (bus: Bus, word: String) in
      try bus.match(SignalRule(sender: try server.uniqueName(), member: "Struck")) { _ in
        received.append(word)
      }
    }
    let other = try home.connect()
    #expect(try home.run { other.isReady })
    let watches = [try subscribe(client, "client"), try subscribe(other, "other")]
    try home.deliver()
    let destination = BusTarget(service: try client.uniqueName(), path: "/clock", interface: target.interface)
    try server.signal(destination, "Struck")
    try home.deliver()
    #expect(received == ["client"])
    withExtendedLifetime(watches) {}
  }
}
