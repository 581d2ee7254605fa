// SPDX-License-Identifier: MIT

import CSystemd

/// A device in udev's database. Belongs to the thread that made it.
nonisolated final class UdevDevice {
  private let device: OpaquePointer

  /// `nil` if udev does not know the device.
  init?(subsystem: String, name: String) {
    var device: OpaquePointer?
    guard sd_device_new_from_subsystem_sysname(&device, subsystem, name) >= 0, let device else { return nil }
    self.device = device
  }

  deinit {
    sd_device_unref(device)
  }

  /// "/sys/devices/platform/…/iio:device0".
  var path: String? {
    var path: UnsafePointer<CChar>?
    guard sd_device_get_syspath(device, &path) >= 0, let path else { return nil }
    return String(cString: path)
  }

  func property(_ name: String) -> String? {
    var value: UnsafePointer<CChar>?
    guard sd_device_get_property_value(device, name, &value) >= 0, let value else { return nil }
    return String(cString: value)
  }

  /// Whether the same hardware is also a joystick: a gamepad's accelerometer does not move with the display.
  var isPartOfJoypad: Bool {
    if property("ID_INPUT_JOYSTICK") == "1" { return true }
    guard let hardware = ancestor("usb", "usb_device") ?? ancestor("hid", nil) else { return false }
    return Self.hasJoystick(under: hardware)
  }

  /// Valid as long as `device`.
  private func ancestor(_ subsystem: String, _ type: String?) -> OpaquePointer? {
    var parent: OpaquePointer?
    guard sd_device_get_parent_with_subsystem_devtype(device, subsystem, type, &parent) >= 0 else {
      return nil
    }
    return parent
  }

  private static func hasJoystick(under parent: OpaquePointer) -> Bool {
    var enumerator: OpaquePointer?
    guard sd_device_enumerator_new(&enumerator) >= 0, let enumerator else { return false }
    defer { sd_device_enumerator_unref(enumerator) }
    guard sd_device_enumerator_add_match_subsystem(enumerator, "input", 1) >= 0,
      sd_device_enumerator_add_match_parent(enumerator, parent) >= 0,
      sd_device_enumerator_add_match_property(enumerator, "ID_INPUT_JOYSTICK", "1") >= 0
    else { return false }
    return sd_device_enumerator_get_device_first(enumerator) != nil
  }
}
