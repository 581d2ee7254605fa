// SPDX-License-Identifier: MIT

/// Whether it helps to wait where there is no display system to work with.
nonisolated package enum Outlook: Equatable, Sendable {
  /// It is not there, and may come.
  case absent
  /// It is there, and does not answer just now.
  case busy
  /// What there is will not do.
  case hopeless
}

/// Why there is no display system to work with.
nonisolated package protocol DisplayUnavailable: Error {
  var outlook: Outlook { get }
}

// What each of them means for who waits.

nonisolated extension NoBackend: DisplayUnavailable {}

nonisolated extension WaylandUnavailable: DisplayUnavailable {
  package var outlook: Outlook {
    switch self {
    case .noDisplay, .noRuntimeDirectory, .noSocket, .cannotConnect: .absent
    case .silent: .busy
    case .notACompositor, .lacks: .hopeless
    }
  }
}

nonisolated extension X11Unavailable: DisplayUnavailable {
  package var outlook: Outlook {
    switch self {
    case .noDisplay, .cannotConnect, .isXWayland: .absent
    case .silent: .busy
    case .tooOld: .hopeless
    }
  }
}
