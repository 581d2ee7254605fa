// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
import System

/// Accelerometers that older drivers offer as input devices, which autorotate does not read.
package enum InputAccelerometers {
  package static var names: [String] {
    KernelInput.all(quirks: nil).filter(\.isAccelerometer).map { $0.name.printable() }
  }
}

extension KernelInput {
  /// Whether it measures acceleration: it says so, or has three axes and no keys, which is udev's rule. A game
  /// controller's, which is on USB or Bluetooth, is not meant.
  var isAccelerometer: Bool {
    let isController = [BUS_USB, BUS_BLUETOOTH].contains(Int32(bus))
    let hasAxes = absoluteAxes.contains(Int(ABS_X)...Int(ABS_Z))
    let saysSo = properties?.contains(Int(INPUT_PROP_ACCELEROMETER)) == true
    return !isController && (saysSo || hasAxes && !events.contains(Int(EV_KEY)))
  }

  /// A device that goes loses its node first, and is told of and listed for a moment more.
  /// - Parameter wanted: a name, where `*` and `?` stand for any text and any character.
  static func isThere(_ wanted: String) -> Bool {
    all(quirks: nil).contains {
      ApplicationRule.pattern(wanted, matches: $0.name) && access($0.node, F_OK) == 0
    }
  }
}
