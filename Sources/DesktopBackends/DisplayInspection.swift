// SPDX-License-Identifier: MIT

package import Autorotation

/// What doctor tells of a display system, as plain values. Looking at it changes nothing there.
nonisolated package struct DisplayInspection: Equatable, Sendable {
  /// One thing that holds, or one that does not and what to do about it.
  package struct Remark: Equatable, Sendable {
    package var what: Phrase
    /// The next step, if something is wrong; `nil` if all is well.
    package var next: Phrase?

    package init(_ what: Phrase, next: Phrase? = nil) {
      self.what = what
      self.next = next
    }
  }

  /// For a person: "sway 1.7 on wayland-1".
  package var system: Phrase
  package var outputs: [Output]
  /// The output that is turned and that touchscreens lie on.
  package var panel: String?
  /// How touch and pen follow the picture here, a remark for each device where the devices are known.
  package var touch: [Remark]
  /// How it is known here which application has focus.
  package var focus: Remark
  /// Whether the desktop turns the picture by itself; `nil` where it has no such thing.
  package var ownRotation: Remark?

  package init(
    system: Phrase, outputs: [Output], panel: String?, touch: [Remark], focus: Remark,
    ownRotation: Remark? = nil
  ) {
    self.system = system
    self.outputs = outputs
    self.panel = panel
    self.touch = touch
    self.focus = focus
    self.ownRotation = ownRotation
  }
}
