// SPDX-License-Identifier: MIT

package import Autorotation

/// Doctor's view of a display system, as plain values. The inspection changes nothing.
nonisolated package struct DisplayInspection: Equatable, Sendable {
  /// For the user: "sway 1.7 on wayland-1".
  package var system: Phrase
  package var outputs: [Output]
  /// How touchscreens and pens follow the screen, a message for each device where the devices are known. Here and below:
  /// with a next step if something is wrong.
  package var touch: [Message]
  /// How the backend knows which application has focus.
  package var focus: Message
  /// The state of the desktop's own auto-rotation; `nil` if it has none.
  package var ownRotation: Message?
}
