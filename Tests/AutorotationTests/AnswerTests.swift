// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// An answer belongs to its rotation. Scenarios test the rest, from `late-answer-…` on.
struct AnswerTests {
  /// The device was rotated at 1 s, and all but the display system has answered.
  private struct Fixture {
    var machine = Autorotator()
    var rotation: Rotation?
    var didRotate: [Rotation] = []
    var reports = 0
    var reasons: [String] = []
    var interface: InterfaceOrientation?

    init() {
      handle(.outputsChanged([Self.panel(.none)]), at: 0)
      handle(.sensorFound(name: "accelerometer"), at: 0)
      handle(.deviceRotated(.normal), at: 0)
      handle(.deviceRotated(.leftUp), at: 1)
    }

    static func panel(_ transform: DisplayTransform) -> Output {
      Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800, transform: transform)
    }

    mutating func handle(_ event: Event, at seconds: Double) {
      for action in machine.handle(event, at: Instant(seconds: seconds)) {
        switch action {
        case .willRotate(let rotation): handle(.readyToRotate(rotation), at: seconds)
        case .apply(let rotation, _): self.rotation = rotation
        case .didRotate(let rotation): didRotate.append(rotation)
        case .report: reports += 1
        case .publish(let status):
          reasons = status.messages.map(\.description)
          interface = status.interface
        case .setSensor, .postureChanged, .repair, .suggest, .saveLock, .savePostureLocks, .saveRotations,
          .rotateOutput, .askDesktop, .refuse:
          break
        }
      }
    }
  }

  @Test func `an answer in time is valid even if read late`() throws {
    var fixture = Fixture()
    let rotation = try #require(fixture.rotation)
    // The loop was blocked for six seconds, and reads only now an answer that came in time.
    fixture.handle(.rotationFinished(rotation), at: 7)
    #expect(fixture.didRotate == [rotation])
    #expect(fixture.reports == 0)
  }

  @Test func `a retried rotation is another rotation`() throws {
    var fixture = Fixture()
    let first = try #require(fixture.rotation)
    fixture.handle(.deadlineReached, at: 6)
    fixture.handle(.deadlineReached, at: 7)
    let second = try #require(fixture.rotation)
    #expect(second != first && second.to == first.to)
    fixture.handle(.rotationFailed(first, "It went wrong."), at: 7.1)
    #expect(fixture.didRotate.map(\.isNone) == [true])
    fixture.handle(.rotationFinished(second), at: 7.2)
    #expect(fixture.didRotate.last == second)
  }

  @Test func `a late rotation seen before its answer is not manual`() throws {
    var fixture = Fixture()
    fixture.handle(.deadlineReached, at: 6)
    fixture.handle(.deviceRotated(.normal), at: 6.5)
    fixture.handle(.outputsChanged([Fixture.panel(.rotated90)]), at: 6.6)
    #expect(fixture.rotation?.to == .normal)
    #expect(!fixture.reasons.contains { $0.contains("You asked") })
  }

  /// A display system that hangs is given up long before five seconds are over.
  @Test func `an unanswered rotation applied late is not manual`() throws {
    var fixture = Fixture()
    let first = try #require(fixture.rotation)
    fixture.handle(.rotationFailed(first, Message(.rotationUnanswered, "It hangs.")), at: 3)
    #expect(fixture.didRotate.map(\.isNone) == [true] && fixture.reports == 0)
    fixture.handle(.deadlineReached, at: 3.4)
    #expect(fixture.reports == 1)
    fixture.handle(.deviceRotated(.normal), at: 3.5)
    fixture.handle(.outputsChanged([Fixture.panel(.rotated90)]), at: 20)
    #expect(fixture.rotation?.to == .normal)
    #expect(!fixture.reasons.contains { $0.contains("You asked") })
  }

  /// As when another output changes.
  @Test func `an unanswered rotation may come after an unchanged report`() throws {
    var fixture = Fixture()
    let first = try #require(fixture.rotation)
    fixture.handle(.rotationFailed(first, Message(.rotationUnanswered, "It hangs.")), at: 3)
    fixture.handle(.deviceRotated(.normal), at: 3.5)
    fixture.handle(.outputsChanged([Fixture.panel(.none)]), at: 10)
    fixture.handle(.outputsChanged([Fixture.panel(.rotated90)]), at: 20)
    #expect(fixture.rotation?.to == .normal)
    #expect(!fixture.reasons.contains { $0.contains("You asked") })
  }

  @Test(arguments: [2.5, 3.5])
  func `an unanswered rotation is applied only once`(_ reported: Double) throws {
    var fixture = Fixture()
    let first = try #require(fixture.rotation)
    let failure = Event.rotationFailed(first, Message(.rotationUnanswered, "It hangs."))
    let report = Event.outputsChanged([Fixture.panel(.rotated90)])
    fixture.handle(reported < 3 ? report : failure, at: min(reported, 3))
    fixture.handle(reported < 3 ? failure : report, at: max(reported, 3))
    fixture.handle(.outputsChanged([Fixture.panel(.none)]), at: 10)
    #expect(fixture.reasons.contains { $0.contains("You asked for landscape") })
    fixture.handle(.outputsChanged([Fixture.panel(.rotated90)]), at: 20)
    #expect(fixture.reasons.contains { $0.contains("You asked for left edge up") })
  }

  /// The soak on X11 found it undone.
  @Test func `neighbours that a rotation has moved are no new layout`() throws {
    func outputs(_ transform: DisplayTransform, beside x: Int) -> [Output] {
      [Fixture.panel(transform), Output(name: "DP-1", isBuiltIn: false, x: x, width: 1920, height: 1080)]
    }
    var fixture = Fixture()
    fixture.handle(.rotationFinished(try #require(fixture.rotation)), at: 1.1)
    fixture.handle(.outputsChanged(outputs(.rotated90, beside: 800)), at: 1.1)
    fixture.handle(.deviceRotated(.normal), at: 10)
    fixture.handle(.rotationFinished(try #require(fixture.rotation)), at: 10.1)
    fixture.handle(.outputsChanged(outputs(.none, beside: 1280)), at: 10.1)
    fixture.handle(.outputsChanged(outputs(.rotated180, beside: 1280)), at: 10.5)
    #expect(fixture.reasons.contains { $0.contains("You asked for upside down") })
  }

  /// One to the right, and one below on the left.
  @Test func `two neighbours that a rotation has moved are no new layout`() throws {
    func outputs(_ transform: DisplayTransform, beside x: Int, above y: Int) -> [Output] {
      [
        Fixture.panel(transform), Output(name: "DP-1", isBuiltIn: false, x: x, width: 1920, height: 1080),
        Output(name: "DP-2", isBuiltIn: false, x: -640, y: y, width: 1920, height: 1080),
      ]
    }
    var fixture = Fixture()
    fixture.handle(.rotationFinished(try #require(fixture.rotation)), at: 1.1)
    fixture.handle(.outputsChanged(outputs(.rotated90, beside: 800, above: 1280)), at: 1.1)
    fixture.handle(.deviceRotated(.normal), at: 10)
    fixture.handle(.rotationFinished(try #require(fixture.rotation)), at: 10.1)
    fixture.handle(.outputsChanged(outputs(.none, beside: 1280, above: 800)), at: 10.1)
    fixture.handle(.outputsChanged(outputs(.rotated180, beside: 1280, above: 800)), at: 10.5)
    #expect(fixture.reasons.contains { $0.contains("You asked for upside down") })
  }

  @Test func `a manual rotation after a later one is adopted`() throws {
    var fixture = Fixture()
    let first = try #require(fixture.rotation)
    fixture.handle(.rotationFailed(first, Message(.rotationUnanswered, "It hangs.")), at: 3)
    fixture.handle(.deviceRotated(.bottomUp), at: 3.5)
    fixture.handle(.rotationFinished(try #require(fixture.rotation)), at: 3.6)
    fixture.handle(.outputsChanged([Fixture.panel(.rotated180)]), at: 3.6)
    fixture.handle(.outputsChanged([Fixture.panel(.rotated90)]), at: 20)
    #expect(fixture.reasons.contains { $0.contains("You asked for left edge up") })
  }

  @Test func `a manual rotation after the late answer is adopted`() throws {
    var fixture = Fixture()
    let first = try #require(fixture.rotation)
    fixture.handle(.deadlineReached, at: 6)
    fixture.handle(.deviceRotated(.normal), at: 6.5)
    fixture.handle(.rotationFailed(first, "It went wrong."), at: 6.6)
    fixture.handle(.outputsChanged([Fixture.panel(.rotated90)]), at: 6.7)
    #expect(fixture.reasons.contains { $0.contains("You asked for left edge up") })
  }

  /// Then another program may cause it, so that it is the choice of the user.
  @Test(arguments: [(7, false), (8, true)])
  func `a rotation is forgotten after eight more are unanswered`(_ later: Int, _ isManual: Bool) throws {
    var fixture = Fixture()
    for number in 0...later {
      let unanswered = try #require(fixture.rotation)
      #expect((unanswered.to == .left) == (number == 0))
      let now = Double(2 + number)
      fixture.handle(.rotationFailed(unanswered, Message(.rotationUnanswered, "It hangs.")), at: now)
      fixture.handle(.deviceRotated(number.isMultiple(of: 2) ? .bottomUp : .rightUp), at: now)
    }
    fixture.handle(.deviceRotated(.normal), at: 12)
    fixture.handle(.rotationFailed(try #require(fixture.rotation), "It went wrong."), at: 12)
    fixture.handle(.outputsChanged([Fixture.panel(.rotated90)]), at: 13)
    #expect(fixture.reasons.contains { $0.contains("You asked for left edge up") } == isManual)
  }

  // MARK: Two panels; the settings choose first one, then the other

  private static func panels(_ first: DisplayTransform, _ second: DisplayTransform) -> Event {
    let other = Output(name: "DSI-1", isBuiltIn: true, width: 1280, height: 800, transform: second)
    return .outputsChanged([Fixture.panel(first), other])
  }

  private static func use(_ output: String) -> Event {
    var settings = Settings()
    settings.output = OutputChoice([output])
    return .settingsChanged(settings)
  }

  /// The first panel's rotation was given up; now the other one rotates.
  private static func givenUp() throws -> (fixture: Fixture, late: Rotation) {
    var fixture = Fixture()
    let late = try #require(fixture.rotation)
    fixture.handle(panels(.none, .none), at: 2)
    fixture.handle(.rotationFailed(late, Message(.rotationUnanswered, "It hangs.")), at: 3)
    fixture.handle(use("DSI-1"), at: 4)
    return (fixture, late)
  }

  @Test func `a late rotation of another panel changes nothing here`() throws {
    var (fixture, late) = try Self.givenUp()
    let rotation = try #require(fixture.rotation)
    #expect(rotation.output == "DSI-1" && rotation.to == .left)
    fixture.handle(.rotationFinished(rotation), at: 5)
    fixture.handle(.deviceRotated(.normal), at: 6)
    fixture.handle(.rotationFinished(try #require(fixture.rotation)), at: 6)
    #expect(fixture.interface == .normal)
    fixture.handle(.rotationFinished(late), at: 7)
    #expect(fixture.interface == .normal)
  }

  @Test func `late rotations of another panel are not forgotten`() throws {
    var (fixture, late) = try Self.givenUp()
    fixture.handle(.rotationFinished(try #require(fixture.rotation)), at: 5)
    fixture.handle(.rotationFinished(late), at: 6)
    fixture.handle(Self.use("eDP-1"), at: 7)
    #expect(fixture.interface == .left && fixture.rotation?.output == "DSI-1")
  }

  @Test func `a late rotation is ignored during the next one`() throws {
    var fixture = Fixture()
    let late = try #require(fixture.rotation)
    fixture.handle(.deadlineReached, at: 6)
    fixture.handle(.deviceRotated(.bottomUp), at: 6.5)
    fixture.handle(.rotationFinished(late), at: 6.6)
    #expect(fixture.interface == .normal, "the rotation under way decides")
    fixture.handle(.rotationFailed(try #require(fixture.rotation), "It went wrong."), at: 6.7)
    #expect(fixture.interface == .left)
  }

  @Test func `a late hook does not start the next rotation`() throws {
    var machine = Autorotator()
    _ = machine.handle(.outputsChanged([Fixture.panel(.none)]), at: Instant(seconds: 0))
    let first = machine.handle(.command(.rotate(.to(.left), output: nil)), at: Instant(seconds: 1))
    let announced = first.compactMap { if case .willRotate(let rotation) = $0 { rotation } else { nil } }
    let old = try #require(announced.first)
    _ = machine.handle(.deadlineReached, at: Instant(seconds: 3))
    _ = machine.handle(.rotationFinished(old), at: Instant(seconds: 3))
    _ = machine.handle(.command(.rotate(.to(.normal), output: nil)), at: Instant(seconds: 4))
    let actions = machine.handle(.readyToRotate(old), at: Instant(seconds: 4.5))
    #expect(!actions.contains { if case .apply = $0 { true } else { false } })
  }

  @Test func `a rotation has the reasons of its decision`() throws {
    var machine = Autorotator()
    _ = machine.handle(.outputsChanged([Fixture.panel(.none)]), at: Instant(seconds: 0))
    let announced = machine.handle(.command(.rotate(.to(.left), output: nil)), at: Instant(seconds: 1))
    let rotation = try #require(
      announced.compactMap { if case .willRotate(let rotation) = $0 { rotation } else { nil } }.first)
    // While hooks are running, the user locks the same orientation.
    _ = machine.handle(.command(.lock(.to(.left), until: nil)), at: Instant(seconds: 2))
    _ = machine.handle(.readyToRotate(rotation), at: Instant(seconds: 2.5))
    let done = machine.handle(.rotationFinished(rotation), at: Instant(seconds: 2.6))
    let finished = done.compactMap { if case .didRotate(let rotation) = $0 { rotation } else { nil } }.first
    #expect(finished?.reasons == [.rotatedByUser(.left)])
  }

  @Test func `a rotation cancelled without its output reports the old size`() {
    var machine = Autorotator()
    _ = machine.handle(.outputsChanged([Fixture.panel(.none)]), at: Instant(seconds: 0))
    _ = machine.handle(.command(.rotate(.to(.left), output: nil)), at: Instant(seconds: 1))
    let actions = machine.handle(.outputsChanged([]), at: Instant(seconds: 2))
    let reported = actions.compactMap { if case .didRotate(let rotation) = $0 { rotation } else { nil } }
    #expect(reported.map(\.isNone) == [true])
    #expect(reported.map(\.width) == [1280] && reported.map(\.height) == [800])
  }

  @Test func `a cancelled rotation by 180 degrees reports the same size`() {
    var machine = Autorotator()
    _ = machine.handle(.outputsChanged([Fixture.panel(.none)]), at: Instant(seconds: 0))
    _ = machine.handle(.command(.rotate(.to(.inverted), output: nil)), at: Instant(seconds: 1))
    let actions = machine.handle(.outputsChanged([]), at: Instant(seconds: 2))
    let reported = actions.compactMap { if case .didRotate(let rotation) = $0 { rotation } else { nil } }
    #expect(reported.map(\.width) == [1280] && reported.map(\.height) == [800])
  }

  @Test(arguments: [(1280, 800, PanelAspect.landscape), (800, 1280, .portrait)])
  func `the panels aspect is reported`(_ width: Int, _ height: Int, _ aspect: PanelAspect) {
    var machine = Autorotator()
    #expect(machine.naturalAspect == nil)
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: width, height: height, transform: .rotated90)
    _ = machine.handle(.outputsChanged([panel]), at: Instant(seconds: 0))
    #expect(machine.naturalAspect == aspect)
  }

  @Test func `an explanation has each device orientation`() {
    var machine = Autorotator()
    _ = machine.handle(.outputsChanged([Fixture.panel(.none)]), at: Instant(seconds: 0))
    let outcomes = machine.explanation(of: "mpv").outcomes
    #expect(outcomes.map(\.device) == DeviceOrientation.allCases)
    let shown = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.device, $0.orientation) })
    #expect(shown[.normal] == .normal && shown[.leftUp] == .left)
    #expect(shown[.bottomUp] == .inverted && shown[.rightUp] == .right)
  }
}
