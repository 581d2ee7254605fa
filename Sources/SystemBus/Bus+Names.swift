// SPDX-License-Identifier: MIT

import CSystemd

/// Who has a name after it was asked for.
nonisolated package enum NameOwnership: Equatable, Sendable {
  case owned
  /// Somebody else; the bus does not always tell which process that is.
  case taken(byProcess: UInt32?)
}

extension Bus {
  /// How long the bus itself may take. It answers in less than a millisecond, or is stuck.
  private static var driverTimeout: Duration { .seconds(5) }

  /// This connection's own name, such as ":1.42": what is sent there comes here and nowhere else. Waits for
  /// the end of the handshake.
  package func uniqueName() throws(BusError) -> String {
    var name: UnsafePointer<CChar>?
    try BusError.check(sd_bus_get_unique_name(pointer, &name), "asking for the unique name")
    guard let name else { throw BusError(BusError.failed, "the bus gave no unique name") }
    return String(cString: name)
  }

  /// Asks for a name, and does not queue for it. Waits for the answer.
  package func requestName(_ name: String) throws(BusError) -> NameOwnership {
    let doNotQueue: UInt32 = 4
    let answer = try callAndWait(
      .driver, "RequestName", [.string(name), .uint32(doNotQueue)], timeout: Self.driverTimeout)
    let isPrimaryOwner: UInt32 = 1
    let isOwnerAlready: UInt32 = 4
    let result = try answer.read(0, as: UInt32.self)
    guard result != isPrimaryOwner, result != isOwnerAlready else { return .owned }
    return .taken(byProcess: processID(of: name))
  }

  /// Gives a name back. Waits for the answer.
  package func releaseName(_ name: String) throws(BusError) {
    _ = try callAndWait(.driver, "ReleaseName", [.string(name)], timeout: Self.driverTimeout)
  }

  /// The process behind a name; `nil` if it has gone, or is not ours to know. Waits for the answer.
  package func processID(of name: String) -> UInt32? {
    let answer = try? callAndWait(
      .driver, "GetConnectionUnixProcessID", [.string(name)], timeout: Self.driverTimeout)
    return try? answer?.read(0, as: UInt32.self)
  }

  /// Tells who has a name (a unique name, or `nil` for nobody): once for now, and at each change.
  package func watchName(
    _ name: String, _ handler: @escaping (_ owner: String?) -> Void
  ) throws(BusError) -> Subscription {
    let watch = NameWatch(handler)
    let slot = try addMatch(SignalRule(.driver, "NameOwnerChanged", firstArgument: name)) { signal in
      guard let owner = try? signal.arguments().read(2, as: String.self) else { return }
      watch.report(owner.isEmpty ? nil : owner)
    }
    let subscription = Subscription([slot])
    // The bus works in order: what happens after this answer comes as a signal.
    try call(.driver, "GetNameOwner", [.string(name)]) { [weak subscription] answer in
      guard subscription?.isActive == true else { return }
      watch.report(try? answer.get().read(0, as: String.self))
    }
    return subscription
  }
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
