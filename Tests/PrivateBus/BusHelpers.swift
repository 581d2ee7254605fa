// SPDX-License-Identifier: MIT

package import System
import Waiting

extension Bus {
  /// Calls a method and waits for its answer. On a busy machine the handshake may take longer than the timeout of
  /// `callAndWait`.
  package func ask(_ target: BusTarget, _ member: String, _ arguments: [Value] = []) throws(BusError)
    -> [Value]
  {
    let end = EventLoop.now + EventLoop.limit
    while true {
      do {
        return try callAndWait(target, member, arguments, timeout: .nanoseconds(EventLoop.limit))
      } catch  where error.name == BusError.silentBus && EventLoop.now < end {
        continue
      }
    }
  }

  /// Requests a name, without queueing for it, and waits for the answer.
  package func requestName(_ name: String) throws -> NameOwnership {
    let (doNotQueue, owner, ownerAlready): (UInt32, UInt32, UInt32) = (4, 1, 4)
    let answer = try ask(.driver, "RequestName", [.string(name), .uint32(doNotQueue)])
    let isOwned = [owner, ownerAlready].contains(try answer.read(0, as: UInt32.self))
    return isOwned ? .owned : .taken(byProcess: processID(of: name))
  }
}

extension BusMethod {
  /// - Parameter handler: keeps the call, and answers it later.
  package static func later(
    _ name: String, takes: [BusArgument] = [], returns: [BusArgument] = [],
    _ handler: @escaping (MethodCall) throws -> Void
  ) -> Self {
    Self(name, takes: takes, returns: returns) { call in
      try handler(call)
      return nil
    }
  }
}
