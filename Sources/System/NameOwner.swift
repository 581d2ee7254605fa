// SPDX-License-Identifier: MIT

/// Who has one name, as the bus itself tells, for all of a connection who want to know.
///
/// The bus works in order: once it was asked, what happens before its answer is in the answer, and what
/// happens after it comes as a signal.
final class NameOwner {
  private let name: String
  private weak var bus: Bus?
  private var change: Subscription?
  private var watches: [NameWatch] = []
  private var isKnown = false
  /// A unique name; `nil` for nobody, and while the bus has not answered.
  private(set) var current: String?

  init(_ name: String, on bus: Bus) throws(BusError) {
    self.name = name
    self.bus = bus
    let rule = SignalRule(.driver, "NameOwnerChanged", firstArgument: name)
    change = try bus.match(rule) { [weak self] signal in
      guard let owner = try? signal.arguments().read(2, as: String.self) else { return }
      self?.adopt(owner.isEmpty ? nil : owner)
    }
    try ask()
  }

  func watch(_ handler: @escaping (String?) -> Void) throws(BusError) -> Subscription {
    let watch = NameWatch(handler)
    // Otherwise the answer is on its way.
    if isKnown { try ask() }
    watches.append(watch)
    return Subscription { self.watches.removeAll { $0 === watch } }
  }

  private func ask() throws(BusError) {
    try bus?.call(.driver, "GetNameOwner", [.string(name)], timeout: .forever) { [weak self] answer in
      switch answer {
      case .success(let values): self?.adopt(try? values.read(0))
      case .failure(let error) where error.isAbsence: self?.adopt(nil)
      // The bus has ended, and tells nothing any more.
      case .failure: break
      }
    }
  }

  private func adopt(_ owner: String?) {
    isKnown = true
    current = owner
    // Each may end others, and begin some.
    for watch in watches where watches.contains(where: { $0 === watch }) { watch.report(owner) }
  }
}

/// For the connection, which does not keep what nobody else does.
struct WeakNameOwner {
  weak var value: NameOwner?
}

/// Passes each change on once.
private final class NameWatch {
  private let handler: (String?) -> Void
  private var last: String??

  init(_ handler: @escaping (String?) -> Void) {
    self.handler = handler
  }

  func report(_ owner: String?) {
    guard last != .some(owner) else { return }
    last = .some(owner)
    handler(owner)
  }
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
