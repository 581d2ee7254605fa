// SPDX-License-Identifier: MIT

/// The owner of one name, as reported by the bus, shared by all watches of a connection.
///
/// The bus works in order: a change before its reply to `GetNameOwner` is in the reply, and a later one comes as a signal.
final class NameOwner {
  private let name: String
  private weak var bus: Bus?
  private var change: Subscription?
  /// By the order in which they began.
  private var watches: [Int: (String?) -> Void] = [:]
  private var lastWatch = 0
  private var isKnown = false
  /// A unique name; `nil` if the name has no owner, and until the bus has answered.
  private(set) var current: String?

  init(_ name: String, on bus: Bus) throws(BusError) {
    self.name = name
    self.bus = bus
    let rule = SignalRule(.driver, "NameOwnerChanged", firstArgument: name)
    change = try bus.match(rule) { [weak self] signal in
      guard let owner = try? signal.arguments().read(2, as: String.self) else { return }
      self?.setOwner(owner.isEmpty ? nil : owner)
    }
    try requestOwner()
  }

  /// - Parameter handler: receives each change once.
  func watch(_ handler: @escaping (String?) -> Void) throws(BusError) -> Subscription {
    // Otherwise a reply is pending.
    if isKnown { try requestOwner() }
    lastWatch += 1
    let number = lastWatch
    var last: String??
    watches[number] = { owner in
      guard last != .some(owner) else { return }
      last = .some(owner)
      handler(owner)
    }
    return Subscription { self.watches[number] = nil }
  }

  private func requestOwner() throws(BusError) {
    try bus?.call(.driver, "GetNameOwner", [.string(name)], timeout: .forever) { [weak self] answer in
      switch answer {
      case .success(let values): self?.setOwner(try? values.read(0))
      case .failure(let error) where error.isServiceMissing: self?.setOwner(nil)
      // The bus has ended.
      case .failure: break
      }
    }
  }

  private func setOwner(_ owner: String?) {
    isKnown = true
    current = owner
    // A handler may release other watches, and start new ones.
    for number in watches.keys.sorted() { watches[number]?(owner) }
  }
}

/// For the connection, which must not keep an owner without watches.
struct WeakNameOwner {
  weak var value: NameOwner?
}

extension Bus {
  func owner(of name: String) throws(BusError) -> NameOwner {
    if let known = owners[name]?.value { return known }
    let owner = try NameOwner(name, on: self)
    owners = owners.filter { $0.value.value != nil }
    owners[name] = WeakNameOwner(value: owner)
    return owner
  }
}
