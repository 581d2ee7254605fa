// SPDX-License-Identifier: MIT

package import Autorotation

/// Whether waiting helps while no display system can be used.
nonisolated package enum DisplayAvailability: Equatable, Sendable {
  /// It may start later.
  case absent
  /// It is running, and does not answer at the moment.
  case busy
  /// It is running, and can never be used.
  case unsupported
}

nonisolated extension Message {
  /// Whether waiting helps after this failure.
  package var availability: DisplayAvailability {
    switch code {
    case .displayNone, .displayUnreachable: .absent
    case .displaySilent: .busy
    default: .unsupported
    }
  }
}
