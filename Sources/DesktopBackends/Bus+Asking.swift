// SPDX-License-Identifier: MIT

import System

extension Bus {
  /// Calls a method, and reports each failure to the completion.
  /// - Parameter completion: called once; from within this call if that cannot be sent.
  func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration,
    completion: @escaping (Result<[Value], BusError>) -> Void
  ) {
    do throws(BusError) {
      try call(target, member, arguments, timeout: timeout, completion: completion)
    } catch {
      completion(.failure(error))
    }
  }
}
