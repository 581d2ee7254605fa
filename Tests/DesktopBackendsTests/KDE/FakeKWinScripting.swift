// SPDX-License-Identifier: MIT

import Foundation
import PrivateBus
import System

@testable import DesktopBackends

/// KWin's scripting interface on a bus: it stores the scripts, and calls as a loaded script would.
@MainActor final class FakeKWinScripting {
  enum Behavior { case willing, refusing, silent }

  var behavior = Behavior.willing
  private(set) var unloaded: [String] = []
  private(set) var loaded: [String: String] = [:]
  private(set) var starts = 0
  let bus: Bus
  private var exported: ExportedInterface?
  private var unanswered: [MethodCall] = []

  init(on privateBus: PrivateBus, named: Bool = true) throws {
    bus = try privateBus.connect()
    let path = BusArgument("path", "s")
    let name = BusArgument("name", "s")
    let methods = [
      BusMethod("unloadScript", takes: [name], returns: [BusArgument("done", "b")]) { [unowned self] call in
        let name = try call.arguments.read(0, as: String.self)
        unloaded.append(name)
        return [.bool(loaded.removeValue(forKey: name) != nil)]
      },
      BusMethod.later(
        "loadScript", takes: [path, name], returns: [BusArgument("id", "i")],
        { [unowned self] in try load($0) }),
      BusMethod("isScriptLoaded", takes: [name], returns: [BusArgument("is", "b")]) { [unowned self] call in
        [.bool(loaded[try call.arguments.read(0, as: String.self)] != nil)]
      },
      BusMethod("start") { [unowned self] _ in
        starts += 1
        return []
      },
    ]
    exported = try bus.export(
      BusInterface(name: KWinFocus.scripting.interface, methods: methods), at: KWinFocus.scripting.path)
    if named { try appear() }
  }

  func appear() throws {
    _ = try bus.requestName(KWinFocus.scripting.service)
  }

  private func load(_ call: MethodCall) throws {
    switch behavior {
    case .silent: unanswered.append(call)
    case .refusing: call.reply([.int32(-1)])
    case .willing:
      let path = try call.arguments.read(0, as: String.self)
      loaded[try call.arguments.read(1, as: String.self)] = try String(contentsOfFile: path, encoding: .utf8)
      call.reply([.int32(0)])
    }
  }

  /// The target of the script's calls, from the first line of its text.
  var target: [String] {
    let line = loaded[KWinScript.name]?.split(separator: "\n").first ?? ""
    return line.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// Calls as the script would.
  /// - Parameter answered: called when the call was handled.
  func call(_ arguments: [String], from other: Bus? = nil, answered: @escaping () -> Void = {}) throws {
    let target = target
    try (other ?? bus).call(
      BusTarget(service: target[0], path: target[1], interface: target[2]), target[3],
      arguments.map(Value.string)
    ) { _ in answered() }
  }
}
