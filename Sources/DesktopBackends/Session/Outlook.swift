// SPDX-License-Identifier: MIT

package import Autorotation

/// Whether it helps to wait where there is no display system to work with.
nonisolated package enum Outlook: Equatable, Sendable {
  /// It is not there, and may come.
  case absent
  /// It is there, and does not answer just now.
  case busy
  /// What there is will not do.
  case hopeless
}

nonisolated extension Message {
  /// What it means for who waits that there is no display system to work with, for this reason.
  package var outlook: Outlook {
    switch code {
    case .displayNone, .displayUnreachable: .absent
    case .displaySilent: .busy
    default: .hopeless
    }
  }
}
