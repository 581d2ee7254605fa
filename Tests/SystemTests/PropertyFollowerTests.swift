// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

private let target = BusTarget(
  service: "org.example.Lamp", path: "/org/example/Lamp", interface: "org.example.Lamp")

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct PropertyFollowerTests {
  private let home: PrivateBus

  init() throws { home = try PrivateBus() }

  @Test func `changes before the first answer cause no further call`() throws {
    let bus = try home.connect()
    var exported: ExportedInterface?
    var (isOn, isSignalling, calls) = (false, false, 0)
    let signal = {
      isSignalling = true
      try? exported?.emitPropertiesChanged(["IsOn"])
      isSignalling = false
    }
    let property: BusProperty = (
      "IsOn", "b",
      {
        // Read for a signal, or else for an answer, which is sent after these signals.
        guard !isSignalling else { return .bool(isOn) }
        calls += 1
        for _ in 1...3 { signal() }
        return .bool(isOn)
      }
    )
    exported = try bus.export(BusInterface(name: target.interface, properties: [property]), at: target.path)
    _ = try bus.requestName(target.service)
    var recorded: [[String: Value]?] = []
    let follower = try PropertyFollower(of: target, on: home.connect()) { recorded.append($0) }
    #expect(try home.run { !recorded.isEmpty })
    try home.deliver()
    #expect(calls == 1)
    #expect(recorded == [["IsOn": .bool(false)]])

    isOn = true
    signal()
    #expect(try home.run { recorded.count == 2 })
    #expect(recorded.last == ["IsOn": .bool(true)])
    withExtendedLifetime(follower) {}
  }
}
