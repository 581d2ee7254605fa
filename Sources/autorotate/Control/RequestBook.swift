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

  /// Far more than any program needs, and few enough to keep a broken one from filling the memory.
  private static let limitPerCaller = 32
  /// Of all callers together: each turn weighs them all.
  private static let limit = 256

  private let bus: Bus
  private let handle: (Event) -> Void
  private var callers: [String: Caller] = [:]
  private var lastID: UInt32 = 0

  init(bus: Bus, handle: @escaping (Event) -> Void) {
    self.bus = bus
    self.handle = handle
  }

  /// - Returns: the number that the request has got.
  func add(_ request: OrientationRequest, by sender: String) throws -> UInt32 {
    let own = callers[sender]?.ids.count ?? 0
    guard own < Self.limitPerCaller else {
      throw tooMany("there are \(own) requests of yours already; release one first")
    }
    guard callers.values.reduce(0, { $0 + $1.ids.count }) < Self.limit else {
      throw tooMany("there are \(Self.limit) requests already; wait until others are released")
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
          "there is no request \(id) of yours; release the number that Request returned, on the same connection"
        ))
    }
    if callers[sender]?.ids.isEmpty == true { callers[sender] = nil }
    handle(.requestsRemoved(ids: [id]))
  }

  private func tooMany(_ reason: Phrase) -> BusError {
    BusError(ControlInterface.ErrorName.tooManyRequests, localized(reason))
  }

  /// When the bus has ended nobody can release anything.
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
