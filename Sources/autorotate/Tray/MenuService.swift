// SPDX-License-Identifier: MIT

import System

/// Exports a menu as com.canonical.dbusmenu.
@MainActor final class MenuService {
  static let name = "com.canonical.dbusmenu"
  static let path = "/MenuBar"

  private let perform: (TrayRequest) -> Void
  private var exported: ExportedInterface?
  private var root: MenuEntry
  private var revision: UInt32 = 1

  /// - Parameter perform: called when an entry is clicked.
  init(bus: Bus, entries: [MenuEntry], perform: @escaping (TrayRequest) -> Void) throws(BusError) {
    self.perform = perform
    root = MenuEntry(id: 0, children: entries)
    let interface = BusInterface(
      name: Self.name, methods: readers + events, properties: Self.properties, signals: Self.signals)
    exported = try bus.export(interface, at: Self.path)
  }

  /// Announces what has changed in the menu, if anything.
  func show(_ entries: [MenuEntry]) {
    let old = root
    root = MenuEntry(id: 0, children: entries)
    let known = Dictionary(uniqueKeysWithValues: old.all.map { ($0.id, $0.properties) })
    let changed = root.all.filter { entry in known[entry.id].map { $0 != entry.properties } ?? false }
    if !changed.isEmpty {
      let updates = changed.map { Value.structure([.int32($0.id), .dictionary($0.properties)]) }
      try? exported?.emit(
        "ItemsPropertiesUpdated", [.array(of: "(ia{sv})", updates), .array(of: "(ias)", [])])
    }
    if root.structure != old.structure {
      revision &+= 1
      try? exported?.emit("LayoutUpdated", [.uint32(revision), .int32(root.id)])
    }
  }

  // MARK: Members

  private static let properties: [BusProperty] = [
    ("Version", "u", { .uint32(3) }),
    ("TextDirection", "s", { .string("ltr") }),
    ("Status", "s", { .string("normal") }),
    ("IconThemePath", "as", { .strings([String]()) }),
  ]

  private static let signals: [BusSignal] = [
    ("ItemsPropertiesUpdated", [.init("updatedProps", "a(ia{sv})"), .init("removedProps", "a(ias)")]),
    ("LayoutUpdated", [.init("revision", "u"), .init("parent", "i")]),
    ("ItemActivationRequested", [.init("id", "i"), .init("timestamp", "u")]),
  ]

  private var readers: [BusMethod] {
    [
      BusMethod(
        "GetLayout",
        takes: [.init("parentId", "i"), .init("recursionDepth", "i"), .init("propertyNames", "as")],
        returns: [.init("revision", "u"), .init("layout", "(ia{sv}av)")]
      ) { [unowned self] call in
        let entry = try entry(call.arguments.read(0))
        let names: [String] = try call.arguments.read(2)
        return try [.uint32(revision), entry.layout(depth: call.arguments.read(1), names)]
      },
      BusMethod(
        "GetGroupProperties", takes: [.init("ids", "ai"), .init("propertyNames", "as")],
        returns: [.init("properties", "a(ia{sv})")]
      ) { [unowned self] call in
        let ids = Set(try call.arguments.read(0, as: [Int32].self))
        let names: [String] = try call.arguments.read(1)
        // An empty list means all.
        let entries = root.all.filter { ids.isEmpty || ids.contains($0.id) }
        return [.array(of: "(ia{sv})", entries.map { .structure([.int32($0.id), $0.properties(names)]) })]
      },
      BusMethod(
        "GetProperty", takes: [.init("id", "i"), .init("name", "s")], returns: [.init("value", "v")]
      ) { [unowned self] call in
        let name: String = try call.arguments.read(1)
        guard let value = try entry(call.arguments.read(0)).properties[name] else {
          throw BusError(BusError.invalidArguments, "the entry has no property \"\(name)\"")
        }
        return [.variant(value)]
      },
    ]
  }

  private var events: [BusMethod] {
    [
      BusMethod(
        "Event",
        takes: [.init("id", "i"), .init("eventId", "s"), .init("data", "v"), .init("timestamp", "u")]
      ) { [unowned self] call in
        try handle(call.arguments)
        return []
      },
      BusMethod("EventGroup", takes: [.init("events", "a(isvu)")], returns: [.init("idErrors", "ai")]) {
        [unowned self] call in [.array(of: "i", handle(all: call.arguments))]
      },
      BusMethod("AboutToShow", takes: [.init("id", "i")], returns: [.init("needUpdate", "b")]) {
        [unowned self] call in
        _ = try entry(call.arguments.read(0))
        return [.bool(false)]
      },
      BusMethod(
        "AboutToShowGroup", takes: [.init("ids", "ai")],
        returns: [.init("updatesNeeded", "ai"), .init("idErrors", "ai")]
      ) { [unowned self] call in
        let known = Set(root.all.map(\.id))
        let unknown = try call.arguments.read(0, as: [Int32].self).filter { !known.contains($0) }
        return [.array(of: "i", []), .array(of: "i", unknown.map(Value.int32))]
      },
    ]
  }

  private func entry(_ id: Int32) throws(BusError) -> MenuEntry {
    guard let entry = root.all.first(where: { $0.id == id }) else {
      throw BusError(BusError.invalidArguments, "the menu has no entry \(id)")
    }
    return entry
  }

  private func handle(_ event: [Value]) throws(BusError) {
    let entry = try entry(event.read(0))
    let kind: String = try event.read(1)
    if kind == "clicked", entry.isEnabled, let request = entry.request { perform(request) }
  }

  /// - Returns: the unknown entries.
  private func handle(all arguments: [Value]) -> [Value] {
    guard case .array(_, let events) = arguments.first else { return [] }
    return events.compactMap { event in
      guard case .structure(let parts) = event else { return nil }
      return (try? handle(parts)) == nil ? parts.first : nil
    }
  }
}

extension MenuEntry {
  /// This entry and all below it.
  var all: [MenuEntry] { [self] + children.flatMap(\.all) }

  /// The entries and their order.
  var structure: [Int32] { [id] + children.flatMap(\.structure) + [-1] }

  /// Properties that can change are always there; constant ones are left out if they have their default.
  var properties: [String: Value] {
    var found: [String: Value] = [:]
    switch style {
    case .separator: return ["type": .string("separator")]
    case .plain: break
    case .check(let isOn), .radio(let isOn):
      found["toggle-type"] = .string(style == .radio(isOn: isOn) ? "radio" : "checkmark")
      found["toggle-state"] = .int32(isOn ? 1 : 0)
    }
    if !children.isEmpty { found["children-display"] = .string("submenu") }
    guard id != 0 else { return found }
    // An underline would mark the letter after it.
    found["label"] = .string(
      label.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__"))
    found["enabled"] = .bool(isEnabled)
    return found
  }

  /// - Parameter names: empty for all.
  func properties(_ names: [String]) -> Value {
    .dictionary(properties.filter { names.isEmpty || names.contains($0.key) })
  }

  /// - Parameter depth: of the levels below; less than 0 for all of them.
  func layout(depth: Int32, _ names: [String]) -> Value {
    let below = depth == 0 ? [] : children.map { Value.variant($0.layout(depth: max(depth, 0) - 1, names)) }
    return .structure([.int32(id), properties(names), .array(of: "v", below)])
  }
}
