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
  package static func look() -> [Self] {
    let root = "/sys/class/input"
    return names(in: root).filter { $0.hasPrefix("event") }.compactMap { event in
      let device = "\(root)/\(event)/device"
      guard let switches = firstLine(of: "\(device)/capabilities/sw"), tellsTabletMode(switches) else {
        return nil
      }
      let node = "/dev/input/\(event)"
      return Self(
        name: firstLine(of: "\(device)/name") ?? event, node: node, isReadable: access(node, R_OK) == 0)
    }
  }

  /// - Parameter bits: hexadecimal words, the lowest last, as the kernel prints them.
  static func tellsTabletMode(_ bits: String) -> Bool {
    let tabletMode: UInt64 = 1 << 1
    let lowest = bits.split(separator: " ").last.flatMap { UInt64($0, radix: 16) }
    return (lowest ?? 0) & tabletMode != 0
  }
}
