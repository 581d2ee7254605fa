// SPDX-License-Identifier: MIT

import PrivateBus
import System

@testable import DesktopBackends

/// A service that behaves like DisplayConfig of Mutter or Muffin, or as its failures.
@MainActor final class FakeMutter {
  enum Answer: Equatable {
    case likeMutter
    /// No answer, like a Mutter that hangs.
    case never
    /// Success without effect.
    case withoutEffect
    case refused(String)
  }

  /// A logical monitor, with one monitor or several that mirror each other.
  struct Place {
    var x: Int32
    var y: Int32
    var width: Int32
    var height: Int32
    var scale = 1.0
    var transform: UInt32 = 0
    var isPrimary = false
    var connectors: [String]
  }

  var serial: UInt32 = 2
  var places: [Place]
  /// Connectors of monitors that are switched off.
  var off: [String] = []
  var layoutMode: UInt32 = 2
  var layoutProperties: [String: Value] = [:]
  var monitorProperties: [String: [String: Value]] = [:]
  var isManaged = false
  var powerSaveMode: Int32 = 0
  /// Whether it sends a signal for changes.
  var emitsChanges = true
  var stateAnswer = Answer.likeMutter
  var applyAnswer = Answer.likeMutter
  /// Called before each configuration is checked.
  var onApply: () -> Void = {}
  /// Sent instead of the state.
  var garbage: [Value]?
  private(set) var applied: [[Value]] = []
  private(set) var reads = 0

  private let bus: Bus
  private var exported: ExportedInterface?
  private var unanswered: [MethodCall] = []

  /// - Parameter types: of the answer to GetCurrentState.
  init(
    _ desktop: MutterDesktop = .gnome, on privateBus: PrivateBus, places: [Place],
    types: [String] = MonitorState.types
  ) throws {
    self.places = places
    bus = try privateBus.connect()
    let methods = [
      BusMethod.later(
        "GetCurrentState", returns: types.map { BusArgument("part", $0) },
        { [unowned self] in replyState($0) }),
      BusMethod.later(
        "ApplyMonitorsConfig",
        takes: [
          BusArgument("serial", "u"), BusArgument("method", "u"),
          BusArgument("logical_monitors", "a(iiduba(ssa{sv}))"), BusArgument("properties", "a{sv}"),
        ], { [unowned self] in try apply($0) }),
    ]
    var properties: [BusProperty] = [("PowerSaveMode", "i", { [unowned self] in .int32(powerSaveMode) })]
    if desktop.kind == .gnome {
      properties.append(("PanelOrientationManaged", "b", { [unowned self] in .bool(isManaged) }))
    }
    exported = try bus.export(
      BusInterface(
        name: desktop.displayConfig.interface, methods: methods, properties: properties,
        signals: [("MonitorsChanged", [])]),
      at: desktop.displayConfig.path)
    _ = try bus.requestName(desktop.displayConfig.service)
  }

  func end() {
    unanswered = []
    bus.close()
  }

  func emitMonitorsChanged() throws {
    try exported?.emit("MonitorsChanged")
  }

  func manage(_ isManaged: Bool) throws {
    self.isManaged = isManaged
    try exported?.emitPropertiesChanged(["PanelOrientationManaged"])
  }

  func setPower(_ mode: Int32) throws {
    powerSaveMode = mode
    try exported?.emitPropertiesChanged(["PowerSaveMode"])
  }

  // MARK: The state

  private func replyState(_ call: MethodCall) {
    reads += 1
    switch stateAnswer {
    case .never: unanswered.append(call)
    case .refused(let words): call.fail(BusError(BusError.failed, words))
    case .likeMutter, .withoutEffect: call.reply(garbage ?? state)
    }
  }

  var state: [Value] {
    let lit = places.flatMap { place in place.connectors.map { monitor($0, place) } }
    let off = off.map { monitor($0, nil) }
    return [
      .uint32(serial),
      .array(of: "((ssss)a(siiddada{sv})a{sv})", lit + off),
      .array(of: "(iiduba(ssss)a{sv})", places.map(logical)),
      .dictionary(["layout-mode": .uint32(layoutMode)].merging(layoutProperties) { $1 }),
    ]
  }

  private func identity(_ connector: String) -> Value {
    .structure([.string(connector), .string("Vendor"), .string("Product"), .string("0x01")])
  }

  private func monitor(_ connector: String, _ place: Place?) -> Value {
    let (width, height) = (place?.width ?? 800, place?.height ?? 600)
    let flags: [String: Value] = place == nil ? ["is-preferred": .bool(true)] : ["is-current": .bool(true)]
    let mode = Value.structure([
      .string("\(width)x\(height)@60.000"), .int32(width), .int32(height), .double(60), .double(1),
      .array(of: "d", [.double(1), .double(2)]), .dictionary(flags),
    ])
    let other = Value.structure([
      .string("640x480@60.000"), .int32(640), .int32(480), .double(60), .double(1),
      .array(of: "d", [.double(1)]), .dictionary([:]),
    ])
    let properties = ["is-builtin": Value.bool(connector.hasPrefix("eDP"))]
      .merging(monitorProperties[connector] ?? [:]) { $1 }
    return .structure([
      identity(connector), .array(of: "(siiddada{sv})", [other, mode]), .dictionary(properties),
    ])
  }

  private func logical(_ place: Place) -> Value {
    .structure([
      .int32(place.x), .int32(place.y), .double(place.scale), .uint32(place.transform),
      .bool(place.isPrimary), .array(of: "(ssss)", place.connectors.map(identity)), .dictionary([:]),
    ])
  }

  // MARK: The configuration

  private func apply(_ call: MethodCall) throws {
    onApply()
    applied.append(call.arguments)
    switch applyAnswer {
    case .never: unanswered.append(call)
    case .refused(let words): throw BusError(BusError.invalidArguments, words)
    case .withoutEffect: call.reply()
    case .likeMutter:
      places = try FakeConfiguration(call.arguments, serial: serial, layoutMode: layoutMode).places(places)
      if emitsChanges { try emitMonitorsChanged() }
      call.reply()
    }
  }
}

/// Mutter's checks of a configuration, with its own error messages.
private struct FakeConfiguration {
  let wanted: [[Value]]
  let layoutMode: UInt32

  @MainActor init(_ arguments: [Value], serial: UInt32, layoutMode: UInt32) throws {
    guard try arguments.read(0) == serial else {
      throw BusError(
        "org.freedesktop.DBus.Error.AccessDenied",
        "The requested configuration is based on stale information")
    }
    guard try arguments.read(1, as: UInt32.self) == 1, case .array(_, let elements) = arguments[2] else {
      throw BusError(BusError.invalidArguments, "not temporary")
    }
    wanted = elements.compactMap { if case .structure(let members) = $0 { members } else { nil } }
    self.layoutMode = layoutMode
  }

  @MainActor func places(_ old: [FakeMutter.Place]) throws -> [FakeMutter.Place] {
    let places = try wanted.map { try place($0, old) }
    let rectangles = places.map(rectangle)
    guard places.count(where: \.isPrimary) == 1 else { throw refusal("Config is missing primary logical") }
    guard rectangles.map(\.x).min() == 0, rectangles.map(\.y).min() == 0 else {
      throw refusal("Logical monitors positions are offset")
    }
    for (index, one) in rectangles.enumerated() {
      let others = rectangles.enumerated().filter { $0.offset != index }.map(\.element)
      if others.contains(where: one.overlaps) { throw refusal("Logical monitors overlap") }
      if !others.isEmpty, !others.contains(where: one.touches) {
        throw refusal("Logical monitors not adjacent")
      }
    }
    return places
  }

  @MainActor private func place(_ members: [Value], _ old: [FakeMutter.Place]) throws -> FakeMutter.Place {
    guard case .array(_, let monitors) = members[5] else { throw refusal("no monitors") }
    let connectors = try monitors.map { monitor in
      guard case .structure(let parts) = monitor else { throw refusal("no monitor") }
      return try parts.read(0, as: String.self)
    }
    guard var place = old.first(where: { $0.connectors == connectors }) else {
      throw refusal("Invalid connector specified")
    }
    place.x = try members.read(0)
    place.y = try members.read(1)
    place.scale = try members.read(2)
    place.transform = try members.read(3)
    place.isPrimary = try members.read(4)
    guard place.transform <= 7 else { throw refusal("Invalid transform specified") }
    return place
  }

  @MainActor private func rectangle(_ place: FakeMutter.Place) -> ScreenRectangle {
    let sides = place.transform & 1 == 1 ? (place.height, place.width) : (place.width, place.height)
    let scale = layoutMode == 1 ? place.scale : 1
    return ScreenRectangle(
      x: Int(place.x), y: Int(place.y), width: Int((Double(sides.0) / scale).rounded()),
      height: Int((Double(sides.1) / scale).rounded()))
  }

  private func refusal(_ words: String) -> BusError { BusError(BusError.invalidArguments, words) }
}
