// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
package import System

extension KernelInput {
  /// The names of accelerometers that older drivers register as input devices, which autorotate does not read.
  package static var accelerometerNames: [String] {
    all(quirks: nil).filter(\.isAccelerometer).map { $0.name.printable() }
  }

  /// Whether it has the property, or three axes and no keys, which is udev's rule. Game controllers, which are on USB or
  /// Bluetooth, are excluded.
  var isAccelerometer: Bool {
    let isController = [BUS_USB, BUS_BLUETOOTH].contains(Int32(bus))
    let hasAxes = absoluteAxes.isSuperset(of: Int(ABS_X)...Int(ABS_Z))
    let hasProperty = properties?.contains(Int(INPUT_PROP_ACCELEROMETER)) == true
    return !isController && (hasProperty || hasAxes && !events.contains(Int(EV_KEY)))
  }

  /// A removed device loses its node first; sysfs lists it for a moment longer.
  /// - Parameter wanted: a name, where `*` and `?` stand for any text and any character.
  static func isConnected(_ wanted: String) -> Bool {
    all(quirks: nil).contains {
      ApplicationRule.pattern(wanted, matches: $0.name) && access($0.node, F_OK) == 0
    }
  }
}
