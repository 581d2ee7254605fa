// SPDX-License-Identifier: MIT

import Glibc
import Language
import PrivateBus
import System
import Testing
import Waiting

@testable import Autorotation
@testable import autorotate

/// The daemon with, without and again with a bus.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct ControlTests {
  private final class Recorded {
    var sentences: [String] = []
  }

  let home: PrivateBus
  private let recorded = Recorded()

  init() throws {
    home = try PrivateBus()
  }

  /// Shorter than any poll interval in the daemon; nanoseconds.
  private static let soon: Int64 = 1_000_000_000

  private func control() throws -> Control {
    try Control(
      loop: home.loop, bus: .at(address: home.address), retryAfter: .milliseconds(10),
      log: { [recorded] in recorded.sentences.append($0) })
  }

  /// The orientation that a new caller reads; `nil` without a daemon.
  private func shown() throws -> String? {
    var orientation: String?
    let follower = try StatusReport.follow(on: home.connect()) { orientation = $0?.orientation }
    _ = try home.run { orientation != nil }
    withExtendedLifetime(follower) {}
    return orientation
  }

  @Test func `the service returns with the bus`() throws {
    let control = try control()
    control.start { $1(nil) }
    control.publish(.example)
    #expect(try shown() == "left")

    home.kill()
    #expect(try home.run { recorded.sentences.count == 1 })
    #expect(recorded.sentences.first?.hasPrefix("Commands such as `autorotate status`") == true)
    var rotated = Status.example
    rotated.interface = .right
    control.publish(rotated)
    try home.restart()
    #expect(try home.run { recorded.sentences.count == 2 })
    #expect(recorded.sentences.last?.hasPrefix("The session bus is back") == true)
    #expect(try shown() == "right")
    control.stop()
  }

  /// A watch of the socket's directory reports the bus; nothing else wakes the daemon.
  @Test func `a missing bus is reported once`() throws {
    home.kill()
    let control = try control()
    control.start { $1(nil) }
    control.publish(.example)
    control.service?.willRotate(Rotation(from: .normal, to: .left, outputs: [""], width: 1, height: 1))
    try home.loop.settle(within: Self.soon)
    #expect(recorded.sentences.count == 1)
    try home.restart()
    #expect(try shown() == "left")
    control.stop()
    try home.loop.settle(within: Self.soon)
  }

  /// The bus delivers the call before it confirms the name.
  @Test func `the call that starts the daemon is answered`() throws {
    let home = try PrivateBus(keepingCallsFor: ControlInterface.name)
    let caller = try home.connect()
    var answers: [Result<[Value], BusError>] = []
    for _ in 0..<2 {
      try caller.call(ControlInterface.target, "GetStatus", startsService: true) { answers.append($0) }
    }
    try home.deliver()
    #expect(answers.isEmpty)
    let control = try Control(loop: home.loop, bus: .at(address: home.address))
    control.start { $1(nil) }
    control.publish(.example)
    #expect(try home.run { answers.count == 2 })
    for answer in answers { #expect(try answer.get().read(0, as: String.self).contains("\"left\"")) }
    control.stop()
  }

  @Test func `a second daemon does not start`() throws {
    let first = try control()
    first.start { $1(nil) }
    let failure = #expect(throws: Message.self) { try self.control() }
    #expect(failure?.description.hasPrefix("autorotate is already running (process ") == true)
    first.stop()
    let second = try control()
    second.stop()
  }

  /// The bus's own timeout is 90 s, and the loop waited for it repeatedly.
  @Test func `a bus that does not answer blocks nothing`() throws {
    home.freeze()
    let control = try control()
    control.start { $1(nil) }
    control.publish(.example)
    #expect(recorded.sentences.isEmpty)
    try home.loop.wait(for: "the report that the bus does not answer") { !recorded.sentences.isEmpty }
    #expect(recorded.sentences.first?.hasPrefix("Commands such as `autorotate status`") == true)
    #expect(recorded.sentences.first?.contains("does not answer; they work again") == true)
    home.thaw()
    #expect(try home.run { recorded.sentences.count == 2 })
    #expect(try shown() == "left")
    control.stop()
  }

  @Test func `a daemon ends when another has the name`() throws {
    var taken: [Message] = []
    let first = try control()
    first.onTaken = { taken.append($0) }
    first.start { $1(nil) }
    home.kill()
    #expect(try home.run { !recorded.sentences.isEmpty })
    // Another daemon gets the name first.
    unlink(home.socket)
    try home.restart()
    let rival = try home.connect()
    #expect(try rival.requestName(ControlInterface.name) == .owned)
    #expect(try home.run { !taken.isEmpty })
    #expect(taken == [.alreadyRunning(UInt32(getpid()), stop: "autorotate quit")])
    #expect(taken.first?.status == .failed)
    #expect(taken.first?.description.hasPrefix("autorotate is already running (process ") == true)
    #expect(recorded.sentences.count == 1, "no bus is back")
    first.stop()
  }
}
