// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// A tablet switch that is missing because its driver was loaded too early.
nonisolated package struct MissingButtonArray {
  private let sys: String

  /// - Parameter sys: where sysfs is mounted.
  package init(sys: String = "/sys") {
    self.sys = sys
  }

  /// With the next step. soc_button_array requests the GPIOs of a button array once, and gives up if the pin controller is
  /// not loaded yet.
  package var message: Message? {
    guard let device = devices.first, let pins = pinControllers.first, !isBound(device) else { return nil }
    return Message(
      .postureUnknown,
      "the button array \(device), which may have the tablet switch, has no driver: soc_button_array was loaded before \(pins)",
      next:
        "write “softdep soc_button_array pre: \(pins)” to a file in /etc/modprobe.d, and restart the machine"
    )
  }

  private var devices: [String] {
    SystemFile.names(in: "\(sys)/bus/platform/devices").sorted()
      .filter { $0.hasPrefix("INT33D3") || $0.hasPrefix("ACPI0011") }.map { $0.printable(limit: 64) }
  }

  /// Only modules: a driver that is built in is there before any module.
  private var pinControllers: [String] {
    SystemFile.names(in: "\(sys)/module").sorted()
      .filter { $0.hasPrefix("pinctrl_") && SystemFile.isFile("\(sys)/module/\($0)/initstate") }
      .map { $0.printable(limit: 64) }
  }

  private func isBound(_ device: String) -> Bool {
    SystemFile.linkName(of: "\(sys)/bus/platform/devices/\(device)/driver") != nil
  }
}
