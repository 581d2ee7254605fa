// SPDX-License-Identifier: MIT

package import Autorotation

/// What doctor tells of a display system, as plain values. Looking at it changes nothing there.
nonisolated package struct DisplayInspection: Equatable, Sendable {
  /// For a person: "sway 1.7 on wayland-1".
  package var system: Phrase
  package var outputs: [Output]
  /// The output that is turned and that touchscreens lie on.
  package var panel: String?
  /// How touch and pen follow the picture here, a message for each device where the devices are known. Here and
  /// below: with a next step if something is wrong.
  package var touch: [Message]
  /// How it is known here which application has focus.
  package var focus: Message
  /// Whether the desktop turns the picture by itself; `nil` where it has no such thing.
  package var ownRotation: Message?

  package init(
    system: Phrase, outputs: [Output], panel: String?, touch: [Message], focus: Message,
    ownRotation: Message? = nil
  ) {
    self.system = system
    var mounts = KernelMounts()
    self.outputs = mounts.completing(outputs)
    self.panel = panel
    self.touch = touch
    self.focus = focus
    self.ownRotation = ownRotation
  }
}
