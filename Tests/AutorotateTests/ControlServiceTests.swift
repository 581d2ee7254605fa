// SPDX-License-Identifier: MIT

import Glibc
import Language
import PrivateBus
import Testing
import Waiting

@testable import Autorotation
@testable import System
@testable import autorotate

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct ControlServiceTests {
  let control: ControlHome

  init() throws {
    control = try ControlHome()
  }

  /// One for each method.
  nonisolated private static let commands: [(String, [Value], DaemonCommand)] = [
    ("Lock", [.string("")], .lock(nil, until: nil)),
    ("Lock", [.string("left")], .lock(.to(.left), until: nil)),
    ("Lock", [.string("portrait")], .lock(.portrait, until: nil)),
    ("LockFor", [.string(""), .uint32(1800)], .lock(nil, until: .time(.seconds(1800)))),
    ("LockUntilUnfolded", [.string("right")], .lock(.to(.right), until: .unfolded)),
    ("LockWhileFocused", [.string(""), .string("mp?")], .lock(nil, until: .focus(application: "mp?"))),
    ("Unlock", [], .unlock), ("UnlockFor", [.uint32(5)], .unlockOnce(.seconds(5))),
    ("ToggleLock", [], .toggleLock),
    ("Rotate", [.string("inverted")], .rotate(.to(.inverted), output: nil)),
    ("Rotate", [.string("next")], .rotate(.next, output: nil)),
    ("Rotate", [.string("landscape")], .rotate(.landscape, output: nil)),
    ("RotateOutput", [.string("left"), .string("DP-1")], .rotate(.to(.left), output: "DP-1")),
    ("TakeSuggestion", [], .acceptSuggestion), ("SetPosture", [.string("tent")], .setPosture(.tent)),
    ("SetPosture", [.string("auto")], .setPosture(.auto)),
    ("Hold", [.bool(true)], .hold(true)), ("Hold", [.bool(false)], .hold(false)), ("Quit", [], .quit),
  ]

  @Test(arguments: commands)
  func `commands become events`(_ member: String, _ arguments: [Value], _ command: DaemonCommand) throws {
    #expect(try control.answer(member, arguments) == .success([]))
    #expect(control.received == [.command(command)])
  }

  @Test(arguments: commands)
  func `a command is called as it is served`(
    _ member: String, _ arguments: [Value], _ command: DaemonCommand
  ) {
    #expect(command.call.method == member)
    #expect(command.call.arguments.map(\.value) == arguments)
  }

  @Test func `a lock lasts a second at least`() throws {
    for (member, arguments) in [("LockFor", [Value.string(""), .uint32(0)]), ("UnlockFor", [.uint32(0)])] {
      #expect(try control.errorName(member, arguments) == BusError.invalidArguments)
    }
    #expect(control.received.isEmpty)
  }

  @Test func `an unknown posture is answered with the known ones`() throws {
    guard case .failure(let error) = try control.answer("SetPosture", [.string("flat")]) else {
      Issue.record("a posture")
      return
    }
    #expect(
      error.message == "flat is not a posture that can be set. Use one of tablet, tent, stand, laptop, auto")
  }

  @Test func `the end of a lock follows the wall clock`() throws {
    var ahead: Int64 = 0
    let control = try ControlHome(wallClock: { WallClock.now + ahead })
    var status = Status.example
    status.lock = Lock(orientation: .left, end: .time(Instant(nanoseconds: EventLoop.now) + .seconds(60)))
    control.service.publish(status)
    let before = control.service.report.lockEndTime
    ahead = 3600 * 1_000_000_000
    control.service.publish(status)
    #expect(control.service.report.lockEndTime == before, "times must not flicker")
    control.service.updateTimes()
    #expect((3599...3601).contains(control.service.report.lockEndTime - before))
  }

  @Test(arguments: ["sideways", "Left", "offered", " left", "left\n", "\u{1B}[31m"])
  func `an unknown orientation is answered with the valid ones`(_ word: String) throws {
    guard case .failure(let error) = try control.answer("Rotate", [.string(word)]) else {
      Issue.record("accepted as an orientation")
      return
    }
    #expect(error.name == "org.autorotate.Error.InvalidOrientation")
    #expect(
      error.message.hasSuffix(": normal, left, inverted, right, landscape, portrait, next, previous"))
    #expect(error.message.contains(" is not an orientation"))
    #expect(error.message.contains("Did you mean \"left\"?") == (word.lowercased().contains("left")))
    #expect(!error.message.unicodeScalars.contains { $0.value < 32 })
    #expect(control.received.isEmpty)
  }

  @Test func `invalid calls change nothing`() throws {
    let long = String(repeating: "x", count: 1_000_000)
    let calls: [(String, [Value])] = [
      ("Lock", []), ("Lock", [.int32(1)]), ("Lock", [.string("left"), .string("left")]),
      ("Lock", [.string(long)]), ("Hold", [.string("yes")]), ("Rotate", [.string("")]),
      ("Request", [.string("left"), .string(""), .string("")]),
      ("Request", [.strings([]), .string("a"), .string("b")]),
      ("Request", [.strings(["left", "nonsense"]), .string("a"), .string("b")]),
      ("Request", [.array(of: "v", [.variant(.string("left"))]), .string("a"), .string("b")]),
      ("RequestWhileFocused", [.strings(["left"]), .string("a"), .string("b")]),
      ("RequestWhileFocused", [.strings(["left"]), .string("a"), .string("b"), .string("")]),
      ("RequestWhileFocused", [.strings(["left"]), .string("a"), .string("b"), .string(".desktop")]),
      ("Release", [.uint32(0)]), ("Release", [.uint32(.max)]), ("Release", [.int32(-1)]),
      ("GetStatus", [.string("x")]), ("NoSuchMethod", [.string("x")]),
    ]
    for (member, arguments) in calls {
      #expect(try control.errorName(member, arguments) != nil, "\(member) \(arguments.count)")
    }
    let properties = ControlInterface.target.properties
    let write: [Value] = [.string(ControlInterface.name), .string("Lock"), .variant(.string("left"))]
    #expect(throws: BusError.self) { try control.answer("Set", write, of: properties).get() }
    #expect(control.received.isEmpty)
    #expect(try control.answer("Unlock") == .success([]))
  }

  @Test func `a request is released by its number`() throws {
    let mask: [Value] = [
      .strings(["landscape", "left", "left"]), .string("Ma\u{7}ps"), .string("na\u{1B}\nvi"),
    ]
    #expect(try control.answer("Request", mask) == .success([.uint32(1)]))
    let request = OrientationRequest(id: 1, mask: [.landscape, .left], application: "Ma ps", why: "na  vi")
    #expect(control.received == [.requestAdded(request)])
    let stranger = try control.home.connect()
    let name = try control.errorName("Release", [.uint32(1)], from: stranger)
    #expect(name == "org.autorotate.Error.NoSuchRequest")
    #expect(try control.answer("Release", [.uint32(1)]) == .success([]))
    #expect(control.received.last == .requestsRemoved(ids: [1]))
    #expect(try control.errorName("Release", [.uint32(1)]) == "org.autorotate.Error.NoSuchRequest")
  }

  @Test(arguments: ["org.gnome.Maps", "org.gnome.Maps.desktop"])
  func `a request may name its window`(window: String) throws {
    let wish: [Value] = [.strings(["left"]), .string("Maps"), .string("")]
    #expect(try control.answer("RequestWhileFocused", wish + [.string(window)]) == .success([.uint32(1)]))
    let request = OrientationRequest(
      id: 1, mask: [.left], application: "Maps", why: "", whileFocused: "org.gnome.Maps")
    #expect(control.received == [.requestAdded(request)])
    #expect(try control.answer("Release", [.uint32(1)]) == .success([]))
  }

  @Test func `a caller that disconnects releases its requests`() throws {
    let caller = try control.home.connect()
    let stays: [Value] = [.strings(["left"]), .string("stays"), .string("")]
    let leaves: [Value] = [.strings(["right"]), .string("leaves"), .string("")]
    #expect(try control.answer("Request", stays) == .success([.uint32(1)]))
    #expect(try control.answer("Request", leaves, from: caller) == .success([.uint32(2)]))
    #expect(try control.answer("Request", leaves, from: caller) == .success([.uint32(3)]))
    caller.close()
    #expect(try control.home.run { control.received.count == 4 })
    #expect(control.received.last == .requestsRemoved(ids: [2, 3]), "one decision")
  }

  @Test func `a caller has a limit`() throws {
    let request: [Value] = [.strings(["all"]), .string("greedy"), .string("")]
    for _ in 1...32 { _ = try control.answer("Request", request).get() }
    #expect(try control.errorName("Request", request) == "org.autorotate.Error.TooManyRequests")
    _ = try control.answer("Release", [.uint32(32)]).get()
    #expect(try control.answer("Request", request) == .success([.uint32(33)]))
  }

  @Test func `all callers together have a limit`() throws {
    let request: [Value] = [.strings(["all"]), .string("greedy"), .string("")]
    let callers = try (0..<9).map { _ in try control.home.connect() }
    var refusals = 0
    for caller in callers {
      for _ in 1...32 where try control.errorName("Request", request, from: caller) != nil { refusals += 1 }
    }
    #expect(refusals == 32)
    #expect(control.received.count == 256)
    callers[0].close()
    #expect(try control.home.run { control.received.count == 257 })
    #expect(try control.errorName("Request", request, from: callers[8]) == nil)
  }

  @Test(arguments: [
    ("Lock", [Value.string(long(1025))], "orientation"),
    ("LockWhileFocused", [.string(""), .string(long(1025))], "application"),
    ("Rotate", [.string(long(60_000))], "orientation"),
    ("Request", [.strings(["all"]), .string(long(1025)), .string("")], "app"),
    ("Request", [.strings(["all"]), .string(""), .string(long(1025))], "why"),
    ("Request", [.strings(Array(repeating: "all", count: 65)), .string(""), .string("")], "mask"),
    ("Explain", [.string(long(1025)), .bool(false)], "application"),
  ])
  func textsHaveALimit(_ member: String, _ arguments: [Value], _ name: String) throws {
    guard case .failure(let error) = try control.answer(member, arguments) else {
      Issue.record("\(member) accepts it")
      return
    }
    #expect(error.name == BusError.invalidArguments)
    #expect(error.message.hasPrefix("the argument \(name) has "))
    #expect(control.received.isEmpty)
  }

  @Test func `a message of megabytes is refused`() throws {
    let words: [Value] = [.strings(Array(repeating: "all", count: 200_000)), .string(""), .string("")]
    let nothing: [Value] = [.strings(Array(repeating: "", count: 200_000)), .string(""), .string("")]
    let explain: [Value] = [.string(Self.long(3_000_000)), .bool(false)]
    for (member, arguments) in [("Request", words), ("Request", nothing), ("Explain", explain)] {
      guard case .failure(let error) = try control.answer(member, arguments) else {
        Issue.record("\(member) accepts it")
        continue
      }
      #expect(error.name == BusError.invalidArguments)
      #expect(error.message.hasPrefix("a message with more than "))
      #expect(error.message.utf8.count < 100)
    }
    #expect(try control.answer("Unlock") == .success([]))
  }

  nonisolated private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

  /// sd-bus answers the last two itself.
  nonisolated private static let repeatedCalls: [(BusTarget, String, [Value])] = [
    (ControlInterface.target, "Unlock", []),
    (ControlInterface.target.properties, "GetAll", [.string(ControlInterface.name)]),
    (
      BusTarget(
        service: ControlInterface.name, path: ControlInterface.path,
        interface: "org.freedesktop.DBus.Introspectable"), "Introspect", []
    ),
  ]

  @Test(arguments: repeatedCalls)
  func `a caller with too many calls is refused`(
    _ target: BusTarget, _ member: String, _ arguments: [Value]
  ) throws {
    var answers: [Result<[Value], BusError>] = []
    let begun = EventLoop.now
    for _ in 1...3_000 { try control.bus.call(target, member, arguments) { answers.append($0) } }
    let other = try control.home.connect()
    #expect(try control.answer("Unlock", from: other) == .success([]))
    #expect(try control.home.run { answers.count == 3_000 })
    let refused = answers.compactMap { answer -> String? in
      if case .failure(let error) = answer { error.name } else { nil }
    }
    // A burst of 500, and 250 a second: a slow machine may accept all.
    let seconds = Double(EventLoop.now - begun) / 1e9
    let accepted = answers.count - refused.count
    #expect(Set(refused).isSubset(of: [BusError.limitsExceeded]))
    #expect(accepted > 0 && Double(accepted) <= 501 + 250 * seconds)
  }

  @Test func `only changed properties are signalled and only once`() throws {
    control.service.publish(.example)
    var changes: [[String: Value]] = []
    let rule = SignalRule(ControlInterface.target.properties, "PropertiesChanged")
    let watch = try control.bus.match(rule) { signal in
      if let changed = try? signal.arguments().read(1, as: [String: Value].self) { changes.append(changed) }
    }
    _ = try control.answer("GetId", of: .driver)
    var status = Status.example
    control.service.publish(status)
    status.interface = .right
    status.isPaused = true
    control.service.publish(status)
    #expect(try control.home.run { !changes.isEmpty })
    #expect(
      changes == [
        [
          "InterfaceOrientation": .string("right"), "OnHold": .bool(true), "Paused": .bool(true),
          "Held": .bool(true),
        ]
      ])
    withExtendedLifetime(watch) {}
  }

  @Test func `rotations are signalled`() throws {
    var seen: [[Value]] = []
    let watch = try control.bus.match(SignalRule(sender: ControlInterface.name, path: ControlInterface.path))
    { signal in
      seen.append([.string(signal.member ?? "")] + ((try? signal.arguments()) ?? []))
    }
    _ = try control.answer("GetId", of: .driver)
    let rotation = Rotation(from: .normal, to: .left, outputs: ["eDP-1"], width: 1080, height: 1920)
    control.service.willRotate(rotation)
    control.service.didRotate(rotation)
    #expect(try control.home.run { seen.count == 2 })
    #expect(seen[0] == [.string("WillRotate"), .string("normal"), .string("left")])
    let end: [Value] = [
      .string("DidRotate"), .string("normal"), .string("left"), .uint32(1080), .uint32(1920),
    ]
    #expect(seen[1] == end)
    withExtendedLifetime(watch) {}
  }

  @Test func `the end of the bus releases requests`() throws {
    _ = try control.answer("Request", [.strings(["left"]), .string("a"), .string("")]).get()
    var ended = 0
    control.service.onEnded = { ended += 1 }
    control.home.kill()
    #expect(try control.home.run { ended > 0 })
    try control.home.runPending()
    #expect(ended == 1)
    #expect(control.received.last == .requestsRemoved(ids: [1]))
    control.service.publish(.example)
    control.service.willRotate(Rotation(from: .normal, to: .left, outputs: [""], width: 0, height: 0))
  }

  @Test func `an idle service sets no timers`() throws {
    control.service.publish(.example)
    _ = try control.answer("Request", [.strings(["left"]), .string("a"), .string("")]).get()
    try control.home.deliver()
    #expect(control.home.loop.nextTimer == nil)
  }

  @Test func `a refused command is an error`() throws {
    let control = try ControlHome()
    control.refusal = "left is not allowed now."
    guard case .failure(let error) = try control.answer("Rotate", [.string("left")]) else {
      Issue.record("it was not refused")
      return
    }
    #expect(error.name == "org.autorotate.Error.Refused")
    #expect(
      ControlClient.failure(error) == Message(.commandFailed, Phrase(verbatim: "left is not allowed now.")))
  }

  @Test func `another client cannot release requests`() throws {
    _ = try control.answer("Request", [.strings(["left"]), .string("a"), .string("")]).get()
    let stranger = try Stranger(on: control.home)
    for number in 0..<8 { try stranger.spoofOwner("", of: ":1.\(number)", was: ":1.\(number)") }
    try stranger.settle()
    #expect(control.received.count == 1)
    #expect(try control.answer("Release", [.uint32(1)]) == .success([]))
  }

  @Test func `forged status signals are ignored`() throws {
    control.service.publish(.example)
    var recorded: [String?] = []
    let follower = try StatusReport.follow(on: control.bus) { recorded.append($0?.orientation) }
    #expect(try control.home.run { recorded == ["left"] })
    let stranger = try Stranger(on: control.home)
    try stranger.signalAll(
      ControlInterface.target.properties, "PropertiesChanged",
      [
        .string(ControlInterface.name), .dictionary(["InterfaceOrientation": .string("right")]),
        .strings([]),
      ])
    try stranger.spoofOwner("", of: ControlInterface.name)
    try stranger.settle()
    #expect(recorded == ["left"])
    withExtendedLifetime(follower) {}
  }
}
