// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

@testable import SensorSources

@MainActor
@Suite(.serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct SessionWatchTests {
  @MainActor private final class Log { var reports: [Bool] = [] }

  /// logind with one or two sessions.
  @MainActor private final class Logind {
    struct Session {
      var type: String
      var isActive: Bool
      var state = "online"
    }

    var sessions: [String: Session] = [:]
    /// The name of the displayed session.
    var display = ""
    /// Whether answers to `GetSession` wait for `release`.
    var holds = false
    private(set) var held: [(name: String, call: MethodCall)] = []
    let bus: Bus
    private var exported: [String: ExportedInterface] = [:]
    private var objects: [ExportedInterface] = []

    init(_ home: PrivateBus) throws {
      bus = try home.connect()
    }

    static func path(_ name: String) -> String { "/org/freedesktop/login1/session/_3\(name)" }

    func start() throws {
      objects = [try bus.export(manager, at: "/org/freedesktop/login1")]
      let user = BusInterface(
        name: "org.freedesktop.login1.User",
        properties: [
          (
            "Display", "(so)",
            { [unowned self] in
              .structure([.string(display), .objectPath(display.isEmpty ? "/" : Self.path(display))])
            }
          )
        ])
      objects.append(try bus.export(user, at: "/org/freedesktop/login1/user/self"))
      for name in sessions.keys { exported[name] = try bus.export(session(name), at: Self.path(name)) }
      _ = try bus.requestName("org.freedesktop.login1")
    }

    private var manager: BusInterface {
      BusInterface(
        name: "org.freedesktop.login1.Manager",
        methods: [
          BusMethod("GetSession", takes: [BusArgument("id", "s")], returns: [BusArgument("path", "o")]) {
            [unowned self] call in
            let name: String = try call.arguments.read(0)
            guard sessions[name] != nil else {
              throw BusError("org.freedesktop.login1.NoSuchSession", "none")
            }
            guard holds else { return [.objectPath(Self.path(name))] }
            held.append((name, call))
            return nil
          }
        ], signals: [("SessionNew", [])])
    }

    private func session(_ name: String) -> BusInterface {
      BusInterface(
        name: "org.freedesktop.login1.Session",
        properties: [
          ("Type", "s", { [unowned self] in .string(sessions[name]?.type ?? "") }),
          ("State", "s", { [unowned self] in .string(sessions[name]?.state ?? "") }),
          ("Active", "b", { [unowned self] in .bool(sessions[name]?.isActive ?? false) }),
        ])
    }

    /// Answers the oldest held call with another session.
    func release(as name: String) {
      held.removeFirst().call.reply([.objectPath(Self.path(name))])
    }

    func setActive(_ name: String, _ isActive: Bool) throws {
      sessions[name]?.isActive = isActive
      try exported[name]?.emitPropertiesChanged(["Active"])
    }

    func appear(_ name: String, _ session: Session) throws {
      sessions[name] = session
      exported[name] = try bus.export(self.session(name), at: Self.path(name))
      try objects[0].emit("SessionNew")
    }
  }

  private let bus: PrivateBus
  private let own: Bus
  private let logind: Logind
  private let log = Log()

  init() throws {
    bus = try PrivateBus()
    own = try bus.connect()
    logind = try Logind(bus)
  }

  private func watch(_ session: String?) throws -> SessionWatch {
    try SessionWatch(bus: own, session: session) { [log] in log.reports.append($0) }
  }

  private func expectReports(_ reports: [Bool]) throws {
    #expect(try bus.run { log.reports == reports }, "\(log.reports)")
  }

  @Test func `a session may become inactive and active again`() throws {
    logind.sessions = ["1": .init(type: "wayland", isActive: true)]
    try logind.start()
    let watch = try watch("1")
    try bus.deliver()
    try logind.setActive("1", false)
    // A state from before the subscription is read.
    try expectReports([false])
    try logind.setActive("1", true)
    try expectReports([false, true])
    withExtendedLifetime(watch) {}
  }

  @Test func `a session may be inactive at the start`() throws {
    logind.sessions = ["1": .init(type: "x11", isActive: false)]
    try logind.start()
    let watch = try watch("1")
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  @Test func `an ended session falls back to the current one`() throws {
    logind.sessions = ["auto": .init(type: "wayland", isActive: false)]
    try logind.start()
    let watch = try watch("7")
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  /// After logging out and in, the user's services may still have the old one in their environment.
  @Test func `a closing session falls back to the current one`() throws {
    logind.sessions = [
      "7": .init(type: "wayland", isActive: false, state: "closing"),
      "auto": .init(type: "wayland", isActive: true),
    ]
    try logind.start()
    let watch = try watch("7")
    try bus.deliver()
    try logind.setActive("auto", false)
    try expectReports([false])
    try logind.setActive("auto", true)
    try expectReports([false, true])
    withExtendedLifetime(watch) {}
  }

  @Test func `started on a text console the displayed session is watched`() throws {
    logind.sessions = ["3": .init(type: "tty", isActive: true), "1": .init(type: "x11", isActive: false)]
    logind.display = "1"
    try logind.start()
    let watch = try watch("3")
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  @Test func `a graphical session is watched although another is displayed`() throws {
    logind.sessions = ["1": .init(type: "x11", isActive: false), "2": .init(type: "x11", isActive: true)]
    logind.display = "2"
    try logind.start()
    let watch = try watch("1")
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  @Test func `a text console without a displayed session is watched`() throws {
    logind.sessions = ["3": .init(type: "tty", isActive: false)]
    try logind.start()
    let watch = try watch("3")
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  @Test func `a session that starts later is found`() throws {
    try logind.start()
    let watch = try watch(nil)
    try bus.deliver()
    try logind.appear("auto", .init(type: "wayland", isActive: false))
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  @Test func `a logind that starts later is used`() throws {
    logind.sessions = ["1": .init(type: "wayland", isActive: false)]
    let watch = try watch("1")
    try bus.deliver()
    #expect(log.reports.isEmpty)
    try logind.start()
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  @Test func `without logind the session counts as active`() throws {
    logind.sessions = ["1": .init(type: "wayland", isActive: false)]
    try logind.start()
    let watch = try watch("1")
    try expectReports([false])
    logind.bus.close()
    try expectReports([false, true])
    withExtendedLifetime(watch) {}
  }

  @Test func `the answer to an older search is ignored`() throws {
    logind.sessions = [
      "1": .init(type: "x11", isActive: true), "2": .init(type: "x11", isActive: false),
    ]
    logind.holds = true
    try logind.start()
    let watch = try watch("1")
    #expect(try bus.run { logind.held.count == 1 })
    try logind.appear("3", .init(type: "x11", isActive: true))
    #expect(try bus.run { logind.held.count == 2 })
    logind.release(as: "2")
    try bus.deliver()
    #expect(log.reports.isEmpty)
    logind.release(as: "1")
    try bus.deliver()
    try logind.setActive("1", false)
    try expectReports([false])
    withExtendedLifetime(watch) {}
  }

  /// A new session is found while the one on the text console becomes inactive.
  @Test func `a change does not end a search`() throws {
    logind.sessions = ["auto": .init(type: "tty", isActive: true)]
    try logind.start()
    let watch = try watch(nil)
    try bus.deliver()
    logind.holds = true
    logind.display = "1"
    try logind.appear("1", .init(type: "wayland", isActive: true))
    #expect(try bus.run { logind.held.count == 1 })
    logind.holds = false
    try logind.setActive("auto", false)
    try expectReports([false])
    logind.release(as: "auto")
    try expectReports([false, true])
    withExtendedLifetime(watch) {}
  }

  @Test func `an answer from before a change is ignored`() throws {
    logind.sessions = [
      "1": .init(type: "x11", isActive: true), "2": .init(type: "x11", isActive: true),
    ]
    try logind.start()
    let watch = try watch("1")
    try bus.deliver()
    logind.holds = true
    try logind.appear("3", .init(type: "x11", isActive: true))
    #expect(try bus.run { logind.held.count == 1 })
    try logind.setActive("1", false)
    try expectReports([false])
    logind.release(as: "2")
    try bus.deliver()
    #expect(log.reports == [false])
    withExtendedLifetime(watch) {}
  }
}
