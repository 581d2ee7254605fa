// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// What XInput tells of one physical pointing device.
struct DeviceDescription {
  enum Touch {
    case none
    /// A touchscreen.
    case direct
    /// A touchpad.
    case dependent
  }

  var id: xcb_input_device_id_t
  var name: String
  var touch: Touch = .none
  /// Whether its axes say where, and not how far.
  var isAbsolute = false

  /// `nil` for keyboards and for the virtual master devices.
  init?(_ info: UnsafeMutablePointer<xcb_input_xi_device_info_t>) {
    let type = UInt32(info.pointee.type)
    guard
      type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER.rawValue
        || type == XCB_INPUT_DEVICE_TYPE_FLOATING_SLAVE.rawValue
    else { return nil }
    id = info.pointee.deviceid
    let bytes = UnsafeRawBufferPointer(
      start: xcb_input_xi_device_info_name(info), count: Int(xcb_input_xi_device_info_name_length(info)))
    name = String(decoding: bytes, as: UTF8.self).printable()
    var iterator = xcb_input_xi_device_info_classes_iterator(info)
    while iterator.rem > 0, let data = iterator.data {
      learn(data)
      xcb_input_device_class_next(&iterator)
    }
  }

  private mutating func learn(_ data: UnsafeMutablePointer<xcb_input_device_class_t>) {
    switch UInt32(data.pointee.type) {
    case XCB_INPUT_DEVICE_CLASS_TYPE_TOUCH.rawValue:
      data.withMemoryRebound(to: xcb_input_touch_class_t.self, capacity: 1) {
        let isDirect = UInt32($0.pointee.mode) == XCB_INPUT_TOUCH_MODE_DIRECT.rawValue
        touch = isDirect ? .direct : .dependent
      }
    case XCB_INPUT_DEVICE_CLASS_TYPE_VALUATOR.rawValue:
      data.withMemoryRebound(to: xcb_input_valuator_class_t.self, capacity: 1) {
        guard $0.pointee.number == 0 else { return }
        isAbsolute = UInt32($0.pointee.mode) == XCB_INPUT_VALUATOR_MODE_ABSOLUTE.rawValue
      }
    default: break
    }
  }

  /// Whether it moves with the picture.
  /// - Parameter kindIsPanel: whether the driver calls it a touchscreen or a kind of pen.
  func isOnPanel(kindIsPanel: Bool) -> Bool {
    switch touch {
    case .direct: true
    case .dependent: false
    case .none: kindIsPanel
    }
  }
}
