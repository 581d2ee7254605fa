// SPDX-License-Identifier: MIT

/// The active window, with everything that a policy may ask about it.
package struct Window: Equatable, Sendable {
  package enum Role: Sendable {
    /// An application's window, or a dialog of one (then the rest describes the dialog's owner).
    case application
    /// Dock, menu, notification, on-screen keyboard, desktop: never affects the decision.
    case auxiliary
  }

  /// The display system's own identifier.
  package var id: UInt64
  package var role: Role
  /// All names the application goes by: both parts of WM_CLASS, or the Wayland app_id. Cleaned, since any client
  /// may call itself anything.
  package var identifiers: [String]
  package var isFullscreen: Bool
  /// The output that shows most of it; `nil` if the display system does not tell.
  package var output: String?
  /// What the application's own desktop file declares, if it does.
  package var declared: [OrientationWord]?

  package init(
    id: UInt64, role: Role = .application, identifiers: [String], isFullscreen: Bool = false,
    output: String? = nil, declared: [OrientationWord]? = nil
  ) {
    self.id = id
    self.role = role
    self.identifiers = identifiers.map { $0.printable() }
    self.isFullscreen = isFullscreen
    self.output = output
    self.declared = declared
  }
}
