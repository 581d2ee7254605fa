// SPDX-License-Identifier: MIT

package import System

extension Bus {
  /// Asks for a name, and does not queue for it. Waits for the answer.
  package func requestName(_ name: String) throws -> NameOwnership {
    let (doNotQueue, owner, ownerAlready): (UInt32, UInt32, UInt32) = (4, 1, 4)
    let answer = try callAndWait(.driver, "RequestName", [.string(name), .uint32(doNotQueue)])
    let isOwned = [owner, ownerAlready].contains(try answer.read(0, as: UInt32.self))
    return isOwned ? .owned : .taken(byProcess: processID(of: name))
  }
}

extension BusMethod {
  /// - Parameter handler: keeps the call, and answers it when it can.
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
