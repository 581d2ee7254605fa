// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// Performs an event of a bus client. The second argument is called once when it is done, with the reason if it was
/// refused or failed.
typealias EventHandler = (Event, @escaping (Message?) -> Void) -> Void

/// The daemon's side of the bus: commands come out as events, the status goes in.
///
/// It lives as long as its bus. When that has ended, all requests are released, `onEnded` is called
/// once, and a new service on a new bus may follow.
@MainActor final class ControlService {
  /// Far more than users, bars and scripts need.
  private static let callsPerSecond = 250

  private let bus: Bus
  private let handle: EventHandler
  private let requests: RequestBook
  private var exported: ExportedInterface?
  private let wallClock: () -> Int64
  /// Between 1970 and the origin of the loop's clock, in nanoseconds. Read only when the wall clock is set, so that
  /// the published end of a lock does not vary by a second.
  private var origin: Int64
  private var status: Status?
  private(set) var report = StatusReport()

  /// Explains the decision for an application (`nil`: the focused one), fullscreen or not.
  var explain: ((String?, Bool) -> Explanation)?
  /// The decision for each application that has a window, and whether the list is complete.
  var windows: (() -> ([Explanation], isComplete: Bool))?
  /// The names of one kind.
  var choices: ((Choice) -> [String])?
  var onEnded: (() -> Void)?

  /// Exports the object. Clients find it by the name.
  /// - Parameters:
  ///   - bus: attached to the loop.
  ///   - wallClock: in nanoseconds since 1970.
  ///   - handle: may call `publish` before it answers; callers then see the change before the answer.
  init(
    bus: Bus, wallClock: @escaping () -> Int64 = { WallClock.now }, handle: @escaping EventHandler
  ) throws(BusError) {
    self.bus = bus
    self.wallClock = wallClock
    origin = wallClock() - EventLoop.now
    self.handle = handle
    requests = RequestBook(bus: bus) { handle($0) { _ in } }
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
    // A bus that cannot be written to has ended, and `onClosed` reports that.
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

  // MARK: Members

  private var methods: [BusMethod] { commandMethods + requestMethods }

  /// The methods that `DaemonCommand.call` calls.
  private var commandMethods: [BusMethod] {
    let (orientation, seconds) = (BusArgument("orientation", "s"), BusArgument("seconds", "u"))
    let (application, output) = (BusArgument("application", "s"), BusArgument("output", "s"))
    return [
      command("Lock", orientation) { .lock(try OrientationParser.targetOrCurrent($0), until: nil) },
      command("LockFor", orientation, seconds) {
        .lock(try OrientationParser.targetOrCurrent($0), until: .time(try Self.time($0.read(1))))
      },
      command("LockUntilUnfolded", orientation) {
        .lock(try OrientationParser.targetOrCurrent($0), until: .unfolded)
      },
      command("LockWhileFocused", orientation, application) {
        .lock(try OrientationParser.targetOrCurrent($0), until: .focus(application: try Self.text($0, 1)))
      },
      command("Unlock") { _ in .unlock },
      command("UnlockFor", seconds) { .unlockOnce(try Self.time($0.read(0))) },
      command("ToggleLock") { _ in .toggleLock },
      command("Rotate", orientation) { .rotate(try OrientationParser.target($0), output: nil) },
      command("RotateOutput", orientation, output) {
        .rotate(try OrientationParser.target($0), output: try Self.text($0, 1))
      },
      command("TakeSuggestion") { _ in .acceptSuggestion },
      command("SetPosture", BusArgument("posture", "s")) { .setPosture(try Self.posture($0.read(0))) },
      command("Hold", BusArgument("hold", "b")) { .hold(try $0.read(0)) },
      command("Quit") { _ in .quit },
    ]
  }

  private var requestMethods: [BusMethod] {
    [
      request("Request") { _ in nil },
      request("RequestWhileFocused", BusArgument("window", "s"), whileFocused: Self.window),
      BusMethod("Release", takes: [.init("id", "u")]) { [requests] call in
        try requests.remove(call.arguments.read(0), by: call.sender ?? "")
        return []
      },
      BusMethod("GetStatus", returns: [.init("json", "s")]) { [weak self] _ in
        [.string(self?.report.json ?? "null")]
      },
      BusMethod("GetChoices", takes: [.init("kind", "s")], returns: [.init("names", "as")]) {
        [weak self] call in
        let kind = try Choice(word: call.arguments.read(0))
        return [.strings(self?.choices?(kind) ?? [])]
      },
      BusMethod(
        "Explain", takes: [.init("application", "s"), .init("fullscreen", "b")], returns: [.init("text", "s")]
      ) { [weak self] call in
        let name: String = try call.arguments.read(0)
        let isFullscreen: Bool = try call.arguments.read(1)
        let explanation = self?.explain?(name.isEmpty ? nil : name.printable(), isFullscreen)
        return [.string(explanation?.text ?? "")]
      },
      BusMethod(
        "ListWindows", returns: [.init("windows", [WindowReport].type), .init("complete", "b")]
      ) { [weak self] _ in
        let (windows, isComplete) = self?.windows?() ?? ([], false)
        let hasFront = self?.report.application.isEmpty == false
        let reports = windows.enumerated().map { WindowReport($1, isInFront: $0 == 0 && hasFront) }
        return [reports.value, .bool(isComplete)]
      },
    ]
  }

  private var properties: [BusProperty] {
    StatusField.all.map { field in
      let part = field.part
      return (field.property.name, part.type, { [weak self] in part.value(self?.report ?? StatusReport()) })
    }
  }

  private static var signals: [BusSignal] {
    let change = [BusArgument("from", "s"), BusArgument("to", "s")]
    return [
      ("PostureChanged", change), ("WillRotate", change),
      ("DidRotate", change + [BusArgument("width", "u"), BusArgument("height", "u")]),
    ]
  }

  /// A method without results, which is answered when the command is done.
  private func command(
    _ name: String, _ arguments: BusArgument..., command: @escaping ([Value]) throws -> DaemonCommand
  ) -> BusMethod {
    BusMethod(name, takes: arguments) { [handle] call in
      handle(.command(try command(call.arguments))) { failure in
        guard let failure else { return call.reply() }
        call.fail(BusError(ControlInterface.ErrorName.refused, localized(failure)))
      }
      return nil
    }
  }

  /// - Parameter whileFocused: the name of the window during whose focus the request is in effect.
  private func request(
    _ name: String, _ more: BusArgument..., whileFocused: @escaping ([Value]) throws -> String?
  ) -> BusMethod {
    let mask = BusArgument("mask", "as", maximumCount: 64)
    return BusMethod(
      name, takes: [mask, .init("app", "s"), .init("why", "s")] + more, returns: [.init("id", "u")]
    ) { [requests] call in
      let request = OrientationRequest(
        id: 0, mask: try OrientationParser.mask(call.arguments.read(0)),
        application: try Self.text(call.arguments, 1), why: try Self.text(call.arguments, 2),
        whileFocused: try whileFocused(call.arguments))
      return [.uint32(try requests.add(request, by: call.sender ?? ""))]
    }
  }

  /// An argument with control characters removed.
  private static func text(_ arguments: [Value], _ index: Int) throws(BusError) -> String {
    try arguments.read(index, as: String.self).printable()
  }

  private static func time(_ seconds: UInt32) throws(BusError) -> Duration {
    guard seconds > 0 else {
      throw BusError(BusError.invalidArguments, localized("a lock lasts at least one second"))
    }
    return .seconds(seconds)
  }

  private static func posture(_ word: String) throws(BusError) -> PostureChoice {
    if let choice = PostureChoice(rawValue: word) { return choice }
    let words = PostureChoice.allCases.map(\.rawValue).joined(separator: ", ")
    throw BusError(
      BusError.invalidArguments,
      localized("\(word.printable()) is not a posture that can be set. Use one of \(words)"))
  }

  /// A window's name; that of a desktop file is the window's, without its suffix.
  private static func window(_ arguments: [Value]) throws(BusError) -> String {
    let window = try text(arguments, 3).withoutDesktopSuffix
    guard !window.isEmpty else {
      throw BusError(BusError.invalidArguments, localized("the request names no window. Use Request instead"))
    }
    return window
  }
}

extension ControlInterface {
  enum ErrorName {
    static let invalidOrientation = "org.autorotate.Error.InvalidOrientation"
    static let noSuchRequest = "org.autorotate.Error.NoSuchRequest"
    static let refused = "org.autorotate.Error.Refused"
    static let tooManyRequests = "org.autorotate.Error.TooManyRequests"
  }
}
