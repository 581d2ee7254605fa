// SPDX-License-Identifier: MIT

import PrivateBus
import SystemBus
import Testing

@testable import Autorotation
@testable import autorotate

/// The daemon with, without, and again with a bus.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct ControlTests {
  private final class Told {
    var sentences: [String] = []
  }

  let home: PrivateBus
  private let told = Told()

  init() throws {
    home = try PrivateBus()
  }

  private func control() throws -> Control {
    try Control(
      loop: home.loop, bus: .at(address: home.address), retryAfter: .milliseconds(10),
      complain: { [told] in told.sentences.append($0) })
  }

  /// The orientation that a new caller reads; `nil` while there is nobody to ask.
  private func shown() throws -> String? {
    var orientation: String?
    let follower = try StatusFollower(bus: home.connect()) { orientation = $0?.orientation }
    _ = try home.run { orientation != nil }
    withExtendedLifetime(follower) {}
    return orientation
  }

  @Test func itComesBackWithTheBus() throws {
    let control = try control()
    control.start { _ in nil }
    control.publish(.example)
    #expect(try shown() == "left")

    home.kill()
    #expect(try home.run { told.sentences.count == 1 })
    #expect(told.sentences.first?.hasPrefix("The picture turns, but --lock") == true)
    var turned = Status.example
    turned.interface = .right
    control.publish(turned)
    try home.restart()
    #expect(try home.run { told.sentences.count == 2 })
    #expect(told.sentences.last?.hasPrefix("The session bus is back") == true)
    #expect(try shown() == "right")
    control.stop()
  }

  @Test func aMissingBusIsToldOnce() throws {
    home.kill()
    let control = try control()
    control.start { _ in nil }
    control.publish(.example)
    control.willRotate(Rotation(from: .normal, to: .left, output: "", width: 1, height: 1))
    // Some retries go by.
    for _ in 1...5 { try home.loop.runOnce(timeoutNanoseconds: 1_000_000_000) }
    #expect(told.sentences.count == 1)
    control.stop()
    #expect(try home.loop.runOnce(timeoutNanoseconds: 50_000_000) == false)
  }

  @Test func aSecondDaemonDoesNotStart() throws {
    let first = try control()
    first.start { _ in nil }
    let failure = #expect(throws: NameTaken.self) { try self.control() }
    #expect(failure?.description.hasPrefix("autorotate is already running (process ") == true)
    first.stop()
    let second = try control()
    second.stop()
  }
}
