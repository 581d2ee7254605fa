// SPDX-License-Identifier: MIT

import System

/// Why an answer to `GetCurrentState` is invalid.
nonisolated struct InvalidState: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

nonisolated extension MonitorState {
  /// Far beyond any hardware, and small enough that sums do not overflow.
  private enum Limit {
    static let monitors = 64
    static let pixels = 1...65_535
    static let place = -1_000_000...1_000_000
    static let scale = 0.1...100.0
    static let transform: UInt32 = 7
  }

  /// The types of the answer: serial, monitors, logical monitors, properties of the whole.
  static let types = ["u", "a((ssss)a(siiddada{sv})a{sv})", "a(iiduba(ssss)a{sv})", "a{sv}"]

  /// - Parameter values: the answer.
  /// - Throws: what is wrong with it.
  init(_ values: [Value]) throws(InvalidState) {
    let types = values.map(\.typeSignature)
    guard types == Self.types else { throw InvalidState("it has the type “\(types.joined())”") }
    do {
      let properties = try values.read(3, as: [String: Value].self)
      serial = try values.read(0)
      monitors = try values[1].elements.map(Monitor.init(_:))
      logicalMonitors = try values[2].elements.map(LogicalMonitor.init(_:))
      let mode = try properties["layout-mode"]?.read(as: UInt32.self)
      layoutMode = try Self.layoutMode(mode)
      canChangeLayoutMode = try properties["supports-changing-layout-mode"]?.read() ?? false
    } catch let error as InvalidState {
      throw error
    } catch {
      throw InvalidState("\(error)")
    }
    try check()
  }

  private static func layoutMode(_ number: UInt32?) throws(InvalidState) -> LayoutMode {
    guard let number else { return .physical }
    guard let mode = LayoutMode(rawValue: number) else { throw InvalidState("its layout mode is \(number)") }
    return mode
  }

  private func check() throws(InvalidState) {
    guard monitors.count <= Limit.monitors, logicalMonitors.count <= Limit.monitors else {
      throw InvalidState("it has \(max(monitors.count, logicalMonitors.count)) monitors")
    }
    let names = Set(monitors.map(\.connector))
    guard names.count == monitors.count else { throw InvalidState("two monitors have one name") }
    var shown: Set<String> = []
    for logical in logicalMonitors {
      try check(logical)
      for name in logical.connectors {
        guard shown.insert(name).inserted else { throw InvalidState("“\(name)” shows two things") }
      }
    }
  }

  private func check(_ logical: LogicalMonitor) throws(InvalidState) {
    guard Limit.place.contains(logical.x), Limit.place.contains(logical.y) else {
      throw InvalidState("a monitor is at \(logical.x),\(logical.y)")
    }
    guard Limit.scale.contains(logical.scale) else { throw InvalidState("a scale is \(logical.scale)") }
    guard logical.transform <= Limit.transform else {
      throw InvalidState("a transform is \(logical.transform)")
    }
    guard !logical.connectors.isEmpty else { throw InvalidState("a place without a monitor") }
    for name in logical.connectors { try checkMode(name) }
  }

  private func checkMode(_ name: String) throws(InvalidState) {
    guard let monitor = self[connector: name] else { throw InvalidState("no monitor is “\(name)”") }
    guard let mode = monitor.currentMode else { throw InvalidState("“\(name)” shows no mode") }
    guard Limit.pixels.contains(mode.width), Limit.pixels.contains(mode.height) else {
      throw InvalidState("the mode of “\(name)” is \(mode.width)x\(mode.height)")
    }
  }
}

nonisolated extension MonitorState.Monitor {
  fileprivate init(_ value: Value) throws {
    let members = value.members
    identity = try members[0].members.map { try $0.read() }
    modes = try members[1].elements.map(MonitorState.Mode.init(_:))
    properties = try members.read(2)
  }
}

nonisolated extension MonitorState.Mode {
  fileprivate init(_ value: Value) throws {
    let members = value.members
    let properties: [String: Value] = try members.read(6)
    id = try members.read(0)
    width = Int(try members.read(1, as: Int32.self))
    height = Int(try members.read(2, as: Int32.self))
    isCurrent = try properties["is-current"]?.read() ?? false
    isPreferred = try properties["is-preferred"]?.read() ?? false
  }
}

nonisolated extension MonitorState.LogicalMonitor {
  fileprivate init(_ value: Value) throws {
    let members = value.members
    x = Int(try members.read(0, as: Int32.self))
    y = Int(try members.read(1, as: Int32.self))
    scale = try members.read(2)
    transform = try members.read(3)
    isPrimary = try members.read(4)
    connectors = try members[5].elements.map { try $0.members.read(0) }
  }
}

nonisolated extension Value {
  /// The elements of an array.
  fileprivate var elements: [Value] {
    if case .array(_, let elements) = self { elements } else { [] }
  }

  /// The members of a structure.
  fileprivate var members: [Value] {
    if case .structure(let members) = self { members } else { [] }
  }
}
