// SPDX-License-Identifier: MIT

import CXCB

extension X11Connection {
  /// Sets a property of one byte, without waiting. libxcb reads what it sends in units of four bytes, whatever the
  /// property's length: of a shorter array it would read, and send, what happens to lie behind.
  func set(_ property: xcb_atom_t, to value: UInt8, of device: xcb_input_device_id_t) {
    xcb_input_xi_change_property(
      handle, device, UInt8(XCB_PROP_MODE_REPLACE.rawValue), 8, property, XCB_ATOM_INTEGER.rawValue, 1,
      [value, 0, 0, 0])
  }
}
