// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The input devices to disable in tablet mode. Never touchscreens, pens, or parts of a graphics tablet, even if named.
nonisolated package struct DisabledInput: Equatable, Sendable {
  /// Stands for the built-in keyboards, touchpads and pointing sticks, except those that libinput leaves on in tablet mode.
  package static let automatic = "auto"

  /// Names (on X11 as in `xinput list --name-only`), case-insensitive; `*` and `?` match any text and any character.
  private let names: [String]
  private let hasBuiltIn: Bool

  /// - Parameter names: `automatic` may be among them.
  package init(names: [String] = [automatic]) {
    self.names = names.filter { $0 != Self.automatic }
    hasBuiltIn = names.contains(Self.automatic)
  }

  /// - Parameters:
  ///   - names: all names of the device, of which one has to match.
  ///   - kernelDevices: the kernel devices that it may stand for; empty if they are unknown.
  func includes(_ names: [String], _ kernelDevices: [KernelInput]) -> Bool {
    guard kernelDevices.allSatisfy({ !$0.isTouchscreenOrPen }) else { return false }
    if hasBuiltIn, !kernelDevices.isEmpty, kernelDevices.allSatisfy(\.isOffInTabletPosture) { return true }
    return names.contains { name in
      self.names.contains { ApplicationRule.pattern($0, matches: name) }
    }
  }
}
