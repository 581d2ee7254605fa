// SPDX-License-Identifier: MIT

import PrivateBus
import Synchronization
import System

@testable import DesktopBackends

/// KWin's input devices on a private bus, answered by a thread of their own: `KWinInput` waits for some answers.
@MainActor final class FakeKWinDevices {
  /// The devices by event node, with their properties; `nil` for one that does not answer.
  nonisolated private final class State: Sendable {
    let devices = Mutex<[String: [String: Value]?]>([:])
    let calls = Mutex<[String]>([])
    let refusesChanges = Mutex(false)
  }

  private let state = State()
  private let stranger: Stranger

  init(on bus: PrivateBus) throws {
    stranger = try Stranger(on: bus)
    try stranger.serve([KWinInput.manager.service]) { [state] in Self.answer($0, state) }
  }

  var devices: [String: [String: Value]?] {
    get { state.devices.withLock(\.self) }
    set { state.devices.withLock { $0 = newValue } }
  }

  var refusesChanges: Bool {
    get { state.refusesChanges.withLock(\.self) }
    set { state.refusesChanges.withLock { $0 = newValue } }
  }

  private var calls: [String] { state.calls.withLock(\.self) }
  /// The requests to change a property: "event4 enabled false".
  var changes: [String] { calls.filter { !$0.hasPrefix("Get") } }
  /// How often the list of devices was requested.
  var readings: Int { calls.count { $0 == "Get devicesSysNames" } }
  /// The devices whose properties were requested.
  var readDevices: Set<String> {
    Set(calls.compactMap { $0.hasPrefix("GetAll ") ? String($0.dropFirst(7)) : nil })
  }

  func signal(_ member: String) throws {
    try stranger.signalAll(KWinInput.manager, member, [.string("event4")])
  }

  nonisolated static func device(_ name: String, _ kinds: String..., isEnabled: Bool = true) -> [String:
    Value]
  {
    var properties: [String: Value] = [
      "name": .string(name), "vendor": .uint32(1), "product": .uint32(2), "enabled": .bool(isEnabled),
      "supportsDisableEvents": .bool(true), "outputName": .string(""),
    ]
    for kind in kinds { properties[kind] = .bool(true) }
    return properties
  }

  nonisolated private static func answer(_ call: ServedCall, _ state: State) -> [Value]? {
    let node = call.path.split(separator: "/").last.map(String.init) ?? ""
    switch call.name {
    case "Get devicesSysNames":
      state.calls.withLock { $0.append(call.name) }
      return [.variant(.strings(state.devices.withLock { $0.keys.sorted() }))]
    case "GetAll":
      state.calls.withLock { $0.append("GetAll \(node)") }
      return state.devices.withLock { $0[node] ?? nil }.map { [Value.dictionary($0)] }
    case "Set enabled", "Set outputName": return change(call, of: node, state)
    default: return nil
    }
  }

  nonisolated private static func change(_ call: ServedCall, of node: String, _ state: State) -> [Value]? {
    guard let value = call.value else { return nil }
    let property = String(call.name.dropFirst("Set ".count))
    let word: String =
      switch value {
      case .bool(let bool): "\(bool)"
      case .string(let text): text
      default: "?"
      }
    let isRefused = state.refusesChanges.withLock(\.self)
    state.devices.withLock { devices in
      guard !isRefused, var properties = devices[node] ?? nil else { return }
      properties[property] = value
      devices[node] = properties
    }
    // Last, since tests wait for it.
    state.calls.withLock { $0.append("\(node) \(property) \(word)") }
    return isRefused ? nil : []
  }
}
