// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// The daemon's side of the bus: commands come out as events, the status goes in.
///
/// It lives as long as its bus. When that has ended, all requests are taken back, `onEnded` is called
/// once, and a new service on a new bus may follow.
@MainActor final class ControlService {
  /// Far more than people, bars and scripts need.
  private static let callsPerSecond = 250

  private let bus: Bus
  private let handle: (Event) -> Message?
  private let requests: RequestBook
  private var exported: ExportedInterface?
  private let wallClock: () -> Int64
  /// Between 1970 and the origin of the loop's clock, in nanoseconds. Read only when the wall clock is set, so that
  /// times do not flicker.
  private var origin: Int64
  private var status: Status?
  private(set) var report = StatusReport()

  /// Asks the decision about an application (or the one in focus), fullscreen or not.
  var explain: ((String?, Bool) -> Explanation)?
  /// Asks what counts for each application that has a window, and whether those are all.
  var windows: (() -> ([Explanation], isComplete: Bool))?
  /// What there is to choose from.
  var choices: ((Choice) -> [String])?
  /// Ends the daemon, after the answer.
  var quit: (() -> Void)?
  var onEnded: (() -> Void)?

  /// Offers the object; the name makes it known.
  /// - Parameters:
  ///   - bus: attached to the loop.
  ///   - wallClock: in nanoseconds since 1970.
  ///   - handle: returns why a command is refused. May call `publish` before it returns; callers then see the
  ///     change before the answer.
  init(
    bus: Bus, wallClock: @escaping () -> Int64 = { WallClock.now }, handle: @escaping (Event) -> Message?
  ) throws(BusError) {
    self.bus = bus
    self.wallClock = wallClock
    origin = wallClock() - EventLoop.now
    self.handle = handle
    requests = RequestBook(bus: bus) { _ = handle($0) }
    exported = try bus.export(
      BusInterface(
        name: ControlInterface.name, methods: methods, properties: properties, signals: Self.signals,
        callsPerSecond: Self.callsPerSecond),
      at: ControlInterface.path)
    bus.onClosed = { [weak self] in self?.end() }
  }

  func publish(_ status: Status) {
    self.status = status
    let old = report
    report = StatusReport(status, unixTime: unixTime(of:))
    // A bus that cannot be written to has ended, which is told by itself.
    try? exported?.emitPropertiesChanged(report.changes(from: old))
  }

  /// The wall clock was set: the end of a lock is now at another time of it.
  func updateTimes() {
    origin = wallClock() - EventLoop.now
    if let status { publish(status) }
  }

  func willRotate(_ rotation: Rotation) {
    try? exported?.emit("WillRotate", [.string(rotation.from.word), .string(rotation.to.word)])
  }

  func didRotate(_ rotation: Rotation) {
    try? exported?.emit(
      "DidRotate",
      [
        .string(rotation.from.word), .string(rotation.to.word),
        .uint32(UInt32(clamping: rotation.width)), .uint32(UInt32(clamping: rotation.height)),
      ])
  }

  func postureChanged(from before: Posture, to now: Posture) {
    try? exported?.emit("PostureChanged", [.string(before.rawValue), .string(now.rawValue)])
  }

  private func end() {
    requests.removeAll()
    exported = nil
    onEnded?()
    onEnded = nil
  }

  private func unixTime(of moment: Instant) -> UInt64 {
    let (time, isFar) = moment.nanoseconds.addingReportingOverflow(origin)
    return UInt64(clamping: (isFar ? .max : time) / 1_000_000_000)
  }
}

// MARK: - Members

extension ControlService {
  private var methods: [BusMethod] { lockMethods + turnMethods + requestMethods }

  private static let orientation = BusArgument("orientation", "s")

  private var lockMethods: [BusMethod] {
    [
      lockMethod("Lock") { _ in nil },
      lockMethod("LockFor", BusArgument("seconds", "u")) { try Self.end(after: $0.read(1)) },
      lockMethod("LockUntilUnfolded") { _ in .unfolded },
      lockMethod("LockWhileFocused", BusArgument("application", "s")) {
        .whileFocused(application: try $0.read(1, as: String.self).printable())
      },
      command("Unlock") { _ in .unlock },
      command("UnlockFor", [BusArgument("seconds", "u")]) {
        .followOnce(until: try Self.moment(after: $0.read(0)))
      },
      command("ToggleLock") { _ in .toggleLock },
    ]
  }

  private var turnMethods: [BusMethod] {
    [
      command("Rotate", [Self.orientation]) { .turn(try OrientationWords.wish($0.read(0)), output: nil) },
      command("RotateOutput", [Self.orientation, BusArgument("output", "s")]) {
        .turn(try OrientationWords.wish($0.read(0)), output: try $0.read(1, as: String.self).printable())
      },
      command("TakeSuggestion") { _ in .takeSuggestion },
      command("SetPosture", [BusArgument("posture", "s")]) { .setPosture(try Self.posture($0.read(0))) },
      command("Hold", [BusArgument("hold", "b")]) { .hold(try $0.read(0)) },
      BusMethod("Quit") { [weak self] _ in
        self?.quit?()
        return []
      },
    ]
  }

  private var requestMethods: [BusMethod] {
    [
      BusMethod(
        "Request",
        takes: [
          BusArgument("mask", "as", mostElements: 64), BusArgument("app", "s"), BusArgument("why", "s"),
        ],
        returns: [BusArgument("id", "u")]
      ) { [requests] call in [.uint32(try Self.request(call, in: requests))] },
      BusMethod(
        "RequestWhileFocused",
        takes: [
          BusArgument("mask", "as", mostElements: 64), BusArgument("app", "s"), BusArgument("why", "s"),
          BusArgument("window", "s"),
        ],
        returns: [BusArgument("id", "u")]
      ) { [requests] call in
        [.uint32(try Self.request(call, in: requests, whileFocused: Self.window(in: call)))]
      },
      BusMethod("Release", takes: [BusArgument("id", "u")]) { [requests] call in
        try requests.remove(call.arguments.read(0), by: call.sender ?? "")
        return []
      },
      BusMethod("GetStatus", returns: [BusArgument("json", "s")]) { [weak self] _ in
        [.string(self?.report.json ?? "null")]
      },
      BusMethod("GetChoices", takes: [BusArgument("kind", "s")], returns: [BusArgument("names", "as")]) {
        [weak self] call in
        let kind = try Choice(said: call.arguments.read(0))
        return [.strings(self?.choices?(kind) ?? [])]
      },
      BusMethod(
        "Explain", takes: [BusArgument("application", "s"), BusArgument("fullscreen", "b")],
        returns: [BusArgument("text", "s")]
      ) { [weak self] call in
        let name: String = try call.arguments.read(0)
        let isFullscreen: Bool = try call.arguments.read(1)
        let explanation = self?.explain?(name.isEmpty ? nil : name.printable(), isFullscreen)
        return [.string(explanation?.text ?? "")]
      },
      BusMethod(
        "ListWindows",
        returns: [BusArgument("windows", "a" + WindowReport.type), BusArgument("complete", "b")]
      ) { [weak self] _ in
        let (windows, isComplete) = self?.windows?() ?? ([], false)
        let hasFront = self?.report.application.isEmpty == false
        let reports = windows.enumerated().map { WindowReport($1, isInFront: $0 == 0 && hasFront).value }
        return [.array(of: WindowReport.type, reports), .bool(isComplete)]
      },
    ]
  }

  private var properties: [BusProperty] {
    StatusField.all.map { field in
      BusProperty(field.property, field.type) { [weak self] in field.value(self?.report ?? StatusReport()) }
    }
  }

  private static var signals: [BusSignal] {
    let turn = [BusArgument("from", "s"), BusArgument("to", "s")]
    return [
      BusSignal("PostureChanged", carries: [BusArgument("from", "s"), BusArgument("to", "s")]),
      BusSignal("WillRotate", carries: turn),
      BusSignal("DidRotate", carries: turn + [BusArgument("width", "u"), BusArgument("height", "u")]),
    ]
  }

  /// A method without an answer that becomes one event.
  private func command(
    _ name: String, _ arguments: [BusArgument] = [], _ event: @escaping ([Value]) throws -> Event
  ) -> BusMethod {
    BusMethod(name, takes: arguments) { [handle] call in
      if let why = handle(try event(call.arguments)) {
        throw BusError(ControlInterface.ErrorName.refused, localized(why))
      }
      return []
    }
  }

  private func lockMethod(
    _ name: String, _ more: BusArgument..., end: @escaping ([Value]) throws -> Lock.End?
  ) -> BusMethod {
    command(name, [Self.orientation] + more) { arguments in
      .lock(try OrientationWords.wishOrShown(arguments.read(0)), until: try end(arguments))
    }
  }

  private static func end(after seconds: UInt32) throws(BusError) -> Lock.End {
    .at(try moment(after: seconds))
  }

  private static func moment(after seconds: UInt32) throws(BusError) -> Instant {
    guard seconds > 0 else {
      throw BusError(BusError.invalidArguments, localized("a lock lasts at least one second"))
    }
    return Instant(nanoseconds: EventLoop.now) + .seconds(Int64(seconds))
  }

  /// - Returns: `nil` for "auto".
  private static func posture(_ word: String) throws(BusError) -> Posture? {
    guard let choice = PostureChoice(rawValue: word) else {
      let words = PostureChoice.allCases.map(\.rawValue).joined(separator: ", ")
      throw BusError(
        BusError.invalidArguments, localized("\(word.printable()) is no posture to set: say one of \(words)"))
    }
    return choice.posture
  }

  /// A window's name; that of a desktop file is the window's, without its suffix.
  private static func window(in call: MethodCall) throws -> String {
    let window = try call.arguments.read(3, as: String.self).printable().withoutDesktopSuffix
    guard !window.isEmpty else {
      throw BusError(BusError.invalidArguments, localized("the request names no window; Request needs none"))
    }
    return window
  }

  private static func request(
    _ call: MethodCall, in requests: RequestBook, whileFocused window: String? = nil
  ) throws -> UInt32 {
    let mask = try OrientationWords.mask(call.arguments.read(0))
    let application = try call.arguments.read(1, as: String.self).printable()
    let why = try call.arguments.read(2, as: String.self).printable()
    let wish = OrientationRequest(
      id: 0, mask: mask, application: application, why: why, whileFocused: window)
    return try requests.add(wish, by: call.sender ?? "")
  }
}

/// The names under which the daemon is found on the session bus. Members and types are in
/// `ControlService`, and for others in `packaging/dbus/org.autorotate.Autorotate1.xml`.
enum ControlInterface {
  static let name = "org.autorotate.Autorotate1"
  static let path = "/org/autorotate/Autorotate1"
  static let target = BusTarget(service: name, path: path, interface: name)

  enum ErrorName {
    static let invalidOrientation = "org.autorotate.Error.InvalidOrientation"
    static let noSuchRequest = "org.autorotate.Error.NoSuchRequest"
    static let refused = "org.autorotate.Error.Refused"
    static let tooManyRequests = "org.autorotate.Error.TooManyRequests"
  }
}
