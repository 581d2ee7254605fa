// SPDX-License-Identifier: MIT

import Glibc

/// An input device that tells whether the machine is folded: the kernel's SW_TABLET_MODE.
nonisolated package struct TabletSwitch: Equatable, Sendable {
  package var name: String
  /// "/dev/input/event5"
  package var node: String
  /// Whether this user may read it.
  package var isReadable: Bool

  package init(name: String, node: String, isReadable: Bool) {
    self.name = name
    self.node = node
    self.isReadable = isReadable
  }

  /// All there are.
  @MainActor
  package static func look() -> [Self] {
    SwitchCandidate.all().filter { $0.switches.contains(.tablet) }.map {
      Self(name: $0.name, node: $0.path, isReadable: access($0.path, R_OK) == 0)
    }
  }
}
