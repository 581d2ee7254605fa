// SPDX-License-Identifier: MIT

import Autorotation

/// Why a compositor did not do, or not tell, what it was asked over its socket.
nonisolated enum CompositorFailure: Error, Equatable, CustomStringConvertible {
  /// There is nobody behind the socket; the system's reason.
  case unreachable(path: String, reason: String)
  /// The connection was closed.
  case ended
  /// Nothing came in the time that one waits.
  case silent
  /// What came is not what this compositor says.
  case garbled(Phrase)
  /// It says no; its own words.
  case refused(String)

  var phrase: Phrase {
    switch self {
    case .unreachable(let path, let reason): "nobody answers at \(path) (\(reason))"
    case .ended: "the connection was closed"
    case .silent: "no answer within \(Self.patience / 1_000_000_000) s"
    case .garbled(let what): "an answer that makes no sense: \(what)"
    case .refused(let words): "“\(words.printable())”"
    }
  }

  var description: String { phrase.description }

  /// How long a request may take, in nanoseconds. The slowest turn measured on a loaded machine took 10 ms.
  static let patience: Int64 = 2_000_000_000
}
