// SPDX-License-Identifier: MIT

import PrivateBus
import System

@testable import autorotate

/// A notification service that works or fails.
@MainActor final class FakeNotificationServer {
  struct Shown: Equatable {
    var id: UInt32
    var summary: String
    var body: String
    var actions: [String]
    var expiry: Int32
    var hints: [String: Value]
  }

  enum Manner { case good, silent, refusing, garbled, ending }

  var manner = Manner.good
  private(set) var shown: Shown?
  /// The number to replace of each Notify.
  private(set) var replaced: [UInt32] = []
  private(set) var calls = 0
  private let bus: Bus
  private let capabilities: [String]
  private var exported: ExportedInterface?
  private var kept: [MethodCall] = []
  private var lastID: UInt32 = 6

  init(on home: PrivateBus, capabilities: [String] = ["actions", "body", "body-markup"]) throws {
    self.capabilities = capabilities
    bus = try home.connect()
    let target = NotificationService.target
    exported = try bus.export(
      BusInterface(name: target.interface, methods: methods, signals: signals), at: target.path)
    _ = try bus.requestName(target.service)
  }

  private var methods: [BusMethod] {
    let arguments = ["s", "u", "s", "s", "s", "as", "a{sv}", "i"].enumerated().map {
      BusArgument("a\($0)", $1)
    }
    return [
      BusMethod.later(
        "GetCapabilities", returns: [BusArgument("capabilities", "as")],
        { [unowned self] call in answer(call) { .strings(capabilities) } }),
      BusMethod.later(
        "Notify", takes: arguments, returns: [BusArgument("id", "u")],
        { [unowned self] call in answer(call) { .uint32(try notify(call.arguments)) } }),
      BusMethod("CloseNotification", takes: [BusArgument("id", "u")]) { [unowned self] call in
        try close(call.arguments.read(0), reason: 3)
        return []
      },
    ]
  }

  private let signals: [BusSignal] = [
    ("NotificationClosed", [.init("id", "u"), .init("reason", "u")]),
    ("ActionInvoked", [.init("id", "u"), .init("key", "s")]),
  ]

  private func answer(_ call: MethodCall, _ value: () throws -> Value) {
    calls += 1
    switch manner {
    case .good: (try? value()).map { call.reply([$0]) }
    case .silent: kept.append(call)
    case .refusing: call.fail(BusError(BusError.failed, "out of order"))
    case .garbled: call.reply([.string("what?")])
    case .ending: end()
    }
  }

  private func notify(_ arguments: [Value]) throws -> UInt32 {
    replaced.append(try arguments.read(1))
    if replaced.last == 0 { lastID += 1 }
    shown = Shown(
      id: lastID, summary: try arguments.read(3), body: try arguments.read(4), actions: try arguments.read(5),
      expiry: try arguments.read(7), hints: try arguments.read(6))
    return lastID
  }

  func close(_ id: UInt32, reason: UInt32) throws {
    if shown?.id == id { shown = nil }
    try exported?.emit("NotificationClosed", [.uint32(id), .uint32(reason)])
  }

  func choose(_ key: String, of id: UInt32) throws {
    try exported?.emit("ActionInvoked", [.uint32(id), .string(key)])
  }

  func end() {
    kept = []
    bus.close()
  }
}
