// SPDX-License-Identifier: MIT

import CSystemd

/// Who has a name after it was asked for.
nonisolated package enum NameOwnership: Equatable, Sendable {
  case owned
  /// Somebody else; the bus does not always tell which process that is.
  case taken(byProcess: UInt32?)
}

extension Bus {
  /// How long the bus itself may take. It answers in less than a millisecond unless it is stuck.
  private static var driverTimeout: Duration { .seconds(5) }

  /// This connection's own name, such as ":1.42": what is sent there comes here and nowhere else.
  /// - Throws: before the end of the handshake.
  package func uniqueName() throws(BusError) -> String {
    // sd-bus would wait for it.
    guard isReady else { throw BusError(BusError.failed, "\(kind.words) has not answered yet") }
    var name: UnsafePointer<CChar>?
    try BusError.check(sd_bus_get_unique_name(pointer, &name), "asking for the unique name")
    guard let name else { throw BusError(BusError.failed, "the bus gave no unique name") }
    return String(cString: name)
  }

  /// Asks for a name, does not queue for it, and goes on.
  /// - Parameter completion: called once, from the loop, however late the bus answers.
  package func requestName(
    _ name: String, _ completion: @escaping (Result<NameOwnership, BusError>) -> Void
  ) throws(BusError) {
    try call(.driver, "RequestName", Self.wish(for: name), timeout: .forever) { [weak self] answer in
      switch answer.flatMap(Self.isOwned) {
      case .success(true): completion(.success(.owned))
      case .success(false): self?.nameOwner(of: name, completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Asks for a name, does not queue for it, and waits for the answer. What others send meanwhile, the loop handles later.
  package func requestNameAndWait(_ name: String, timeout: Duration) throws(BusError) -> NameOwnership {
    let answer = try callAndWait(.driver, "RequestName", Self.wish(for: name), timeout: timeout)
    return try Self.isOwned(answer).get() ? .owned : .taken(byProcess: processID(of: name))
  }

  private func nameOwner(
    of name: String, _ completion: @escaping (Result<NameOwnership, BusError>) -> Void
  ) {
    do throws(BusError) {
      try call(
        .driver, "GetConnectionUnixProcessID", [.string(name)], timeout: Self.driverTimeout
      ) { answer in
        completion(.success(.taken(byProcess: try? answer.get().read(0))))
      }
    } catch {
      completion(.success(.taken(byProcess: nil)))
    }
  }

  private static func wish(for name: String) -> [Value] {
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

  /// The process behind a name; `nil` if it has gone, or is not ours to know. Waits for the answer.
  package func processID(of name: String) -> UInt32? {
    let answer = try? callAndWait(
      .driver, "GetConnectionUnixProcessID", [.string(name)], timeout: Self.driverTimeout)
    return try? answer?.read(0, as: UInt32.self)
  }

  /// What is in the queue may be old, since the loop did not run for a while (`StallWatch`): calls of those who have left
  /// the bus meanwhile are not carried out. The bus works in order: with its answer, all that is old has been read.
  package func catchUp() {
    catchingUp += 1
    do throws(BusError) {
      try call(.driver, "GetId", timeout: .forever) { [weak self] _ in self?.catchingUp -= 1 }
    } catch {
      catchingUp -= 1
    }
  }

  /// Whether a call that comes now may be old.
  var mayDeliverOldCalls: Bool { catchingUp > 0 || StallWatch.isDue }

  /// Asks the bus whether a connection is still there, by its unique name. The bus works in order: one that has ended
  /// before the question is not there.
  /// - Parameter completion: called once, from the loop, however late the bus answers.
  func askWhetherConnected(
    _ name: String, _ completion: @escaping (_ isConnected: Bool) -> Void
  ) throws(BusError) {
    try call(.driver, "NameHasOwner", [.string(name)], timeout: .forever) { answer in
      completion((try? answer.get().read(0)) ?? false)
    }
  }

  /// Tells who has a name (a unique name, or `nil` for nobody): once for now, and at each change.
  package func watchName(
    _ name: String, _ handler: @escaping (_ owner: String?) -> Void
  ) throws(BusError) -> Subscription {
    try owner(of: name).watch(handler)
  }
}
