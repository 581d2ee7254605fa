// SPDX-License-Identifier: MIT

import System

extension Bus {
  /// Calls a method of a service that runs already.
  /// - Parameter completion: called once; from within this call if that cannot be sent.
  func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration,
    completion: @escaping (Result<[Value], BusError>) -> Void
  ) {
    do throws(BusError) {
      try call(target, member, arguments, timeout: timeout, startsService: false, completion: completion)
    } catch {
      completion(.failure(error))
    }
  }
}
