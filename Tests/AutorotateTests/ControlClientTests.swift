// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import SystemBus
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct ControlClientTests {
  let home: PrivateBus

  init() throws {
    home = try PrivateBus()
  }

  @Test func withoutADaemonEachCommandSaysHowToStartIt() throws {
    let client = ControlClient(bus: try home.connect())
    let commands: [() throws -> Void] = [
      { try client.lock() },
      { try client.lock("left", end: .after(seconds: 5)) },
      { try client.unlock() },
      { try client.toggleLock() },
      { try client.rotate("left") },
      { try client.hold(true) },
      { _ = try client.status() },
      { try client.request(["left"], application: "", why: "") },
    ]
    for command in commands {
      let failure = #expect(throws: Failure.self) { try command() }
      #expect(failure?.status == .notRunning)
      #expect(failure?.description == "autorotate is not running; start it with: autorotate")
    }
  }

  @Test func aDeadBusSaysWhatToDo() throws {
    let client = ControlClient(bus: try home.connect())
    try home.runPending()
    home.kill()
    let failure = #expect(throws: Failure.self) { try client.unlock() }
    #expect(failure?.status == .failed)
    #expect(failure?.description.contains("DBUS_SESSION_BUS_ADDRESS") == true)
  }

  @Test(arguments: [
    ("org.autorotate.Error.InvalidOrientation", autorotate.ExitStatus.usage),
    (BusError.serviceUnknown, .notRunning),
    (BusError.nameHasNoOwner, .notRunning), (BusError.noReply, .failed), (BusError.failed, .failed),
    (BusError.noServer, .failed), (BusError.unknownMethod, .failed),
  ])
  func errorsHaveTheirExitStatus(_ name: String, _ status: autorotate.ExitStatus) {
    let failure = ControlClient.failure(BusError(name, "what was wrong"))
    #expect(failure.status == status)
    #expect(!failure.description.isEmpty)
  }

  @Test func theFollowerTellsEachStatusAndEachEnd() throws {
    var told: [String?] = []
    let follower = try StatusFollower(bus: home.connect()) { told.append($0?.orientation) }
    #expect(try home.run { told.count == 1 })
    #expect(told == [nil])

    var serviceBus: Bus? = try home.connect()
    var service: ControlService? = try serviceBus.map { try ControlService(bus: $0) { _ in } }
    service?.publish(.example)
    if let serviceBus { try ControlService.claimName(on: serviceBus) }
    #expect(try home.run { told.count == 2 })
    var status = Status.example
    status.interface = .inverted
    service?.publish(status)
    #expect(try home.run { told.count == 3 })
    service = nil
    serviceBus?.close()
    serviceBus = nil
    #expect(try home.run { told.count == 4 })

    let nextBus = try home.connect()
    let again = try ControlService(bus: nextBus) { _ in }
    again.publish(status)
    try ControlService.claimName(on: nextBus)
    #expect(try home.run { told.count == 5 })
    #expect(told == [nil, "left", "inverted", nil, "inverted"])
    withExtendedLifetime((follower, again)) {}
  }

  @Test func followingEndsWhenNobodyReads() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let status = try FollowCommand.run(asJSON: true, bus: .at(address: home.address), to: ends[1])
    #expect(status == .done)
  }

  @Test func followingEndsWhenTheReaderHasEnough() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reader = try Self.readOneLine(from: ends[0])
    close(ends[0])
    defer {
      close(ends[1])
      waitpid(reader, nil, 0)
    }
    // Nothing more happens after the first line, so only the hang-up can end it.
    let status = try FollowCommand.run(asJSON: true, bus: .at(address: home.address), to: ends[1])
    #expect(status == .done)
  }

  /// Starts `head -n 1`.
  private static func readOneLine(from descriptor: Int32) throws -> pid_t {
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("head"), strdup("-n"), strdup("1")]
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var process: pid_t = 0
    let code = posix_spawnp(&process, "head", &actions, nil, arguments, environ)
    guard code == 0 else { throw SystemError(call: "posix_spawn", code: code) }
    return process
  }

  @Test func followingWithoutABusIsAFailure() {
    let failure = #expect(throws: Failure.self) {
      try FollowCommand.run(asJSON: false, bus: .at(address: "unix:path=/nonexistent"))
    }
    #expect(failure?.status == .failed)
  }
}
