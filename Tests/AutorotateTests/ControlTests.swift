// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import System
import Testing
import Waiting

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

  /// What asks again and again does so sooner; nanoseconds.
  private static let soon: Int64 = 1_000_000_000

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
    control.start { $1(nil) }
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

  /// The socket's directory tells when there is a bus; nothing else wakes it up.
  @Test func aMissingBusIsToldOnce() throws {
    home.kill()
    let control = try control()
    control.start { $1(nil) }
    control.publish(.example)
    control.willRotate(Rotation(from: .normal, to: .left, output: "", width: 1, height: 1))
    try home.loop.settle(within: Self.soon)
    #expect(told.sentences.count == 1)
    try home.restart()
    #expect(try shown() == "left")
    control.stop()
    try home.loop.settle(within: Self.soon)
  }

  /// The bus delivers the call before it says that the name is ours.
  @Test func theCallForWhichTheBusStartsTheDaemonIsAnswered() throws {
    let home = try PrivateBus(keepingCallsFor: ControlInterface.name)
    let caller = try home.connect()
    var answers: [Result<[Value], BusError>] = []
    for _ in 0..<2 { try caller.call(ControlInterface.target, "GetStatus") { answers.append($0) } }
    try home.deliver()
    #expect(answers.isEmpty)
    let control = try Control(loop: home.loop, bus: .at(address: home.address))
    control.start { $1(nil) }
    control.publish(.example)
    #expect(try home.run { answers.count == 2 })
    for answer in answers { #expect(try answer.get().read(0, as: String.self).contains("\"left\"")) }
    control.stop()
  }

  @Test func aSecondDaemonDoesNotStart() throws {
    let first = try control()
    first.start { $1(nil) }
    let failure = #expect(throws: Message.self) { try self.control() }
    #expect(failure?.description.hasPrefix("autorotate is already running (process ") == true)
    first.stop()
    let second = try control()
    second.stop()
  }

  /// The bus's own time-out for this is 90 s, and it was waited for in the loop, again and again.
  @Test func aBusThatDoesNotAnswerHoldsNothingUp() throws {
    home.freeze()
    let control = try control()
    control.start { $1(nil) }
    control.publish(.example)
    #expect(told.sentences.isEmpty)
    try home.loop.wait(for: "the silence to be told") { !told.sentences.isEmpty }
    #expect(told.sentences.first?.hasPrefix("The picture turns, but --lock") == true)
    #expect(told.sentences.first?.hasSuffix("does not answer.") == true)
    home.thaw()
    #expect(try home.run { told.sentences.count == 2 })
    #expect(try shown() == "left")
    control.stop()
  }

  @Test func aDaemonWithoutABusLeavesWhenAnotherHasTakenItsPlace() throws {
    var taken: [Message] = []
    let first = try control()
    first.onTaken = { taken.append($0) }
    first.start { $1(nil) }
    home.kill()
    #expect(try home.run { !told.sentences.isEmpty })
    // Another is faster.
    unlink(home.socket)
    try home.restart()
    let rival = try home.connect()
    #expect(try rival.requestName(ControlInterface.name) == .owned)
    #expect(try home.run { !taken.isEmpty })
    #expect(taken == [.alreadyRunning(UInt32(getpid()))])
    #expect(taken.first?.status == .failed)
    #expect(taken.first?.description.hasPrefix("autorotate is already running (process ") == true)
    #expect(told.sentences.count == 1, "nothing is back")
    first.stop()
  }
}
