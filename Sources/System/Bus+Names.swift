// SPDX-License-Identifier: MIT

import CSystemd

/// The owner of a name after a request for it.
nonisolated package enum NameOwnership: Equatable, Sendable {
  case owned
  /// Owned by another process, which the bus does not always identify.
  case taken(byProcess: UInt32?)
}

extension Bus {
  /// The timeout of calls to the bus itself, which answers in less than a millisecond unless it hangs.
  private static var driverTimeout: Duration { .seconds(5) }

  /// The unique name of this connection, such as ":1.42".
  /// - Throws: before the end of the handshake.
  package func uniqueName() throws(BusError) -> String {
    // sd-bus would block until then.
    guard isReady else { throw BusError(BusError.failed, "\(kind.name) has not answered yet") }
    var name: UnsafePointer<CChar>?
    try BusError.check(sd_bus_get_unique_name(pointer, &name), "asking for the unique name")
    guard let name else { throw BusError(BusError.failed, "the bus gave no unique name") }
    return String(cString: name)
  }

  /// Requests a name, without queueing for it, and does not wait for the answer.
  /// - Parameter completion: called once, from the loop, however late the bus answers.
  package func requestName(
    _ name: String, _ completion: @escaping (Result<NameOwnership, BusError>) -> Void
  ) throws(BusError) {
    try call(.driver, "RequestName", Self.request(for: name), timeout: .forever) { [weak self] answer in
      switch answer.flatMap(Self.isOwned) {
      case .success(true): completion(.success(.owned))
      case .success(false):
        self?.requestProcessID(of: name, timeout: Self.driverTimeout) {
          completion(.success(.taken(byProcess: $0)))
        }
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Requests a name, without queueing for it, and waits for the answer. The loop handles other messages later.
  package func requestNameAndWait(_ name: String, timeout: Duration) throws(BusError) -> NameOwnership {
    let answer = try callAndWait(.driver, "RequestName", Self.request(for: name), timeout: timeout)
    return try Self.isOwned(answer).get() ? .owned : .taken(byProcess: processID(of: name))
  }

  /// Requests the process that owns a name, and does not wait for the answer.
  /// - Parameter completion: called once; with `nil` if the owner has gone, or the bus does not identify it.
  package func requestProcessID(
    of name: String, timeout: Duration, _ completion: @escaping (UInt32?) -> Void
  ) {
    ask(.driver, "GetConnectionUnixProcessID", [.string(name)], timeout: timeout) { answer in
      completion(try? answer.get().read(0))
    }
  }

  private static func request(for name: String) -> [Value] {
    let doNotQueue: UInt32 = 4
    return [.string(name), .uint32(doNotQueue)]
  }

  private static func isOwned(_ answer: [Value]) -> Result<Bool, BusError> {
    let isPrimaryOwner: UInt32 = 1
    let isOwnerAlready: UInt32 = 4
    return Result { () throws(BusError) in
      [isPrimaryOwner, isOwnerAlready].contains(try answer.read(0, as: UInt32.self))
    }
  }

  /// The process that owns a name; `nil` if it has gone, or the bus does not identify it. Waits for the answer.
  package func processID(of name: String) -> UInt32? {
    let answer = try? callAndWait(
      .driver, "GetConnectionUnixProcessID", [.string(name)], timeout: Self.driverTimeout)
    return try? answer?.read(0, as: UInt32.self)
  }

  /// Must be called after the loop did not run for a while (`StallWatch`), since queued calls may be old: those of
  /// callers that have left the bus are not executed. The bus works in order: when its reply arrives,
  /// all old calls have been read.
  package func recheckQueuedCalls() {
    let isSent: Void? = try? call(.driver, "GetId", timeout: .forever) { [weak self] _ in
      self?.pendingQueueChecks -= 1
    }
    if isSent != nil { pendingQueueChecks += 1 }
  }

  /// Whether a call that is read now may be old.
  var mayDeliverOldCalls: Bool { pendingQueueChecks > 0 || StallWatch.isDue }

  /// Asks the bus whether a connection, given by its unique name, still exists. The bus works in order: one that ended
  /// before this call does not.
  /// - Parameter completion: called once, from the loop, however late the bus answers.
  func checkConnection(
    _ name: String, _ completion: @escaping (_ isConnected: Bool) -> Void
  ) throws(BusError) {
    try call(.driver, "NameHasOwner", [.string(name)], timeout: .forever) { answer in
      completion((try? answer.get().read(0)) ?? false)
    }
  }

  /// Reports the owner of a name (a unique name, or `nil` for none): once for now, and at each change.
  package func watchName(
    _ name: String, _ handler: @escaping (_ owner: String?) -> Void
  ) throws(BusError) -> Subscription {
    try owner(of: name).watch(handler)
  }

  func owner(of name: String) throws(BusError) -> NameOwner {
    if let known = owners[name]?.value { return known }
    let owner = try NameOwner(name, on: self)
    owners = owners.filter { $0.value.value != nil }
    owners[name] = WeakNameOwner(value: owner)
    return owner
  }
}

/// The owner of one name, as reported by the bus, shared by all watches of a connection.
///
/// The bus works in order: a change before its reply to `GetNameOwner` is in the reply,
/// and a later one comes as a signal.
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
