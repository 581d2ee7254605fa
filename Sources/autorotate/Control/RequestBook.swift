// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The requests of each caller on the bus. They end with the caller's connection.
@MainActor final class RequestBook {
  private struct Caller {
    var watch: Subscription
    var ids: Set<UInt32> = []
  }

  /// Far more than any program needs, and few enough that a faulty one cannot fill the memory.
  private static let limitPerCaller = 32
  /// For all callers together: each decision evaluates all requests.
  private static let limit = 256

  private let bus: Bus
  private let handle: (Event) -> Void
  private var callers: [String: Caller] = [:]
  private var lastID: UInt32 = 0

  init(bus: Bus, handle: @escaping (Event) -> Void) {
    self.bus = bus
    self.handle = handle
  }

  /// - Returns: the number of the request.
  func add(_ request: OrientationRequest, by sender: String) throws -> UInt32 {
    let own = callers[sender]?.ids.count ?? 0
    guard own < Self.limitPerCaller else {
      throw tooMany("you already have \(own) requests. Release one first")
    }
    guard callers.values.reduce(0, { $0 + $1.ids.count }) < Self.limit else {
      throw tooMany("there are already \(Self.limit) requests. Wait until others are released")
    }
    var caller = try callers[sender] ?? Caller(watch: watch(sender))
    lastID &+= 1
    caller.ids.insert(lastID)
    callers[sender] = caller
    var numbered = request
    numbered.id = lastID
    handle(.requestAdded(numbered))
    return lastID
  }

  func remove(_ id: UInt32, by sender: String) throws {
    guard callers[sender]?.ids.remove(id) != nil else {
      throw BusError(
        ControlInterface.ErrorName.noSuchRequest,
        localized(
          "you have no request \(id). Release the number that Request returned, on the same connection"
        ))
    }
    if callers[sender]?.ids.isEmpty == true { callers[sender] = nil }
    handle(.requestsRemoved(ids: [id]))
  }

  private func tooMany(_ reason: Phrase) -> BusError {
    BusError(ControlInterface.ErrorName.tooManyRequests, localized(reason))
  }

  /// When the bus has ended, clients can no longer release requests.
  func removeAll() {
    let ids = Set(callers.values.flatMap(\.ids))
    callers = [:]
    if !ids.isEmpty { handle(.requestsRemoved(ids: ids)) }
  }

  private func watch(_ sender: String) throws -> Subscription {
    try bus.watchName(sender) { [weak self] owner in
      if owner == nil { self?.forget(sender) }
    }
  }

  private func forget(_ sender: String) {
    guard let caller = callers.removeValue(forKey: sender) else { return }
    handle(.requestsRemoved(ids: caller.ids))
  }
}
