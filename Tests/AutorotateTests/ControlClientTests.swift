// SPDX-License-Identifier: MIT

import Glibc
import Language
import PrivateBus
import System
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct ControlClientTests {
  let home: PrivateBus

  init() throws {
    home = try PrivateBus()
  }

  @Test func `without a daemon each command names the start command`() throws {
    let client = ControlClient(bus: try home.connect())
    let commands: [() throws -> Void] = [
      { try client.send(.lock(.to(.left), until: .time(.seconds(5)))) },
      { try client.send(.rotate(.to(.left), output: "DP-1")) },
      { _ = try client.status() },
      { try client.request(["left"], application: "", why: "") },
    ]
    for command in commands {
      let failure = #expect(throws: Message.self) { try command() }
      #expect(failure?.status == .notRunning)
      let words = "autorotate is not running: start it with `setsid -f autorotate --wait >/dev/null 2>&1`"
      #expect(failure?.description == words)
    }
  }

  @Test func `an ended bus is reported with the next step`() throws {
    let client = ControlClient(bus: try home.connect())
    try home.runPending()
    home.kill()
    let failure = #expect(throws: Message.self) { try client.send(.unlock) }
    #expect(failure?.status == .failed)
    #expect(failure?.description.contains("DBUS_SESSION_BUS_ADDRESS") == true)
  }

  @Test(arguments: [
    ("org.autorotate.Error.InvalidOrientation", autorotate.ExitStatus.usage),
    (BusError.serviceUnknown, .notRunning),
    (BusError.nameHasNoOwner, .notRunning), (BusError.noReply, .failed), (BusError.failed, .failed),
    (BusError.noServer, .failed), (BusError.unknownMethod, .failed),
  ])
  func `errors have their exit status`(_ name: String, _ status: autorotate.ExitStatus) {
    let failure = ControlClient.failure(BusError(name, "the reason"))
    #expect(failure.status == status)
    #expect(!failure.description.isEmpty)
  }

  /// OpenRC has no systemctl, and a daemon that hangs ignores SIGTERM and keeps another from starting.
  @Test func `a daemon that hangs is killed before another starts`() {
    let failure = ControlClient.failure(BusError(BusError.noReply, ""))
    let command = DisplayLock.holder().map { "kill -9 \($0)" } ?? "pkill -9 -x autorotate"
    #expect(failure.description.contains(": `\(command)`, then"))
    #expect(failure.description.hasSuffix("then `\(StartCommand.now)`"))
  }

  private static let hostile = "a\u{1B}]0;b\u{7}c\u{202E}"
  private static let cleaned = "a ]0;b c "

  @Test func `reasons of others cannot move the cursor`() {
    let failure = ControlClient.failure(BusError("org.example.Error", Self.hostile + "\n"))
    #expect(failure.description == Self.cleaned + " ")
  }

  /// Any program may own the daemon's name.
  @Test func `answers of others cannot move the cursor`() throws {
    let text = Value.string(Self.hostile)
    let texts = Value.array(of: "s", [text])
    let window = Value.structure([texts, .bool(true), .bool(false), text, text, texts, texts])
    let evidence = Value.structure([text, text, text, text, text, .uint64(0), .bool(true)])
    let stranger = try Stranger(on: home)
    try stranger.serve(
      [ControlInterface.name],
      [
        "GetAll": [
          .dictionary([
            "Application": text, "Reasons": texts,
            "PostureEvidence": .array(of: PostureReport.type, [evidence]),
          ])
        ],
        "Explain": [.string("\(Self.hostile)\n\(Self.hostile)")],
        "ListWindows": [.array(of: WindowReport.type, [window]), .bool(true)], "GetChoices": [texts],
      ])
    let client = ControlClient(bus: try home.connect())
    try home.runPending()
    let status = try client.status()
    #expect(status.application == Self.cleaned && status.reasons == [Self.cleaned])
    #expect(status.postureEvidence.first?.name == Self.cleaned)
    #expect(try client.explain("", fullscreen: false) == "\(Self.cleaned)\n\(Self.cleaned)")
    let windows = try client.windows().0
    #expect(windows.first?.title == Self.cleaned && windows.first?.names == [Self.cleaned])
    let lines = windows.flatMap(\.lines).joined()
    #expect(lines.contains(Self.cleaned) && !lines.unicodeScalars.contains(where: \.isDisruptive))
    withExtendedLifetime(stranger) {}
  }

  @Test func `the follower reports each status and each end`() throws {
    var recorded: [String?] = []
    let follower = try StatusReport.follow(on: home.connect()) { recorded.append($0?.orientation) }
    #expect(try home.run { recorded.count == 1 })
    #expect(recorded == [nil])

    var serviceBus: Bus? = try home.connect()
    var service: ControlService? = try serviceBus.map { try ControlService(bus: $0) { $1(nil) } }
    service?.publish(.example)
    if let serviceBus { _ = try serviceBus.requestName(ControlInterface.name) }
    #expect(try home.run { recorded.count == 2 })
    var status = Status.example
    status.interface = .inverted
    service?.publish(status)
    #expect(try home.run { recorded.count == 3 })
    service = nil
    serviceBus?.close()
    serviceBus = nil
    #expect(try home.run { recorded.count == 4 })

    let nextBus = try home.connect()
    let again = try ControlService(bus: nextBus) { $1(nil) }
    again.publish(status)
    _ = try nextBus.requestName(ControlInterface.name)
    #expect(try home.run { recorded.count == 5 })
    #expect(recorded == [nil, "left", "inverted", nil, "inverted"])
    withExtendedLifetime((follower, again)) {}
  }

  @Test func `a signal after a failed read triggers another read`() throws {
    let bus = try home.connect()
    let serviceBus = try home.connect()
    _ = try serviceBus.requestName(ControlInterface.name)
    var recorded: [String?] = []
    let follower = try StatusReport.follow(on: bus) { recorded.append($0?.orientation) }
    // Answered after the follower's own call.
    var isRefused = false
    let watch = try bus.watchName(ControlInterface.name) { _ in
      try? bus.call(ControlInterface.target.properties, "GetAll", [.string(ControlInterface.name)]) {
        isRefused = (try? $0.get()) == nil
      }
    }
    #expect(try home.run { isRefused })
    let service = try ControlService(bus: serviceBus) { $1(nil) }
    service.publish(.example)
    #expect(try home.run { !recorded.isEmpty })
    #expect(recorded == ["left"])
    withExtendedLifetime((follower, watch, service)) {}
  }

  @Test func `following ends when the reader has gone`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let status = try FollowCommand.run(as: .json, bus: .at(address: home.address), to: ends[1])
    #expect(status == .done)
  }

  @Test func `following without a bus fails`() {
    let failure = #expect(throws: Message.self) {
      try FollowCommand.run(as: .text, bus: .at(address: "unix:path=/nonexistent"))
    }
    #expect(failure?.status == .failed)
  }
}
