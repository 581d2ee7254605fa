// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Which input devices are to do nothing while the device is a tablet. Never touchscreens, pens, or anything of
/// a graphics tablet, whatever the names.
nonisolated package struct DisabledInput: Equatable, Sendable {
  /// Stands for the keyboards, touchpads and pointing sticks that are built in, but for those that libinput leaves on in
  /// tablet mode.
  package static let automatic = "auto"

  /// Names (on X11 as in `xinput list --name-only`), without regard to case; `*` and `?` stand for any text and
  /// any character.
  private let names: [String]
  private let takesBuiltIn: Bool

  /// - Parameter names: `automatic` may be among them.
  package init(names: [String] = [automatic]) {
    self.names = names.filter { $0 != Self.automatic }
    takesBuiltIn = names.contains(Self.automatic)
  }

  /// - Parameters:
  ///   - names: what the device is called; one of them suffices.
  ///   - kernelDevices: the kernel's own devices that it may stand for; empty if that cannot be told.
  func includes(_ names: [String], _ kernelDevices: [KernelInput]) -> Bool {
    guard kernelDevices.allSatisfy({ !$0.isDrawnOn }) else { return false }
    if takesBuiltIn, !kernelDevices.isEmpty, kernelDevices.allSatisfy(\.isOffInTabletPosture) { return true }
    return names.contains { name in
      self.names.contains { ApplicationRule.pattern($0, matches: name) }
    }
  }
}
