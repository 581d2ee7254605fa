// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// A physical input device of any kind, described by XInput and its properties.
struct InputDevice {
  enum Touch {
    case none
    /// A touchscreen.
    case direct
    /// A touchpad.
    case dependent
  }

  var id: xcb_input_device_id_t
  var name: String
  var isEnabled: Bool
  /// False for a keyboard.
  var isPointer: Bool
  var touch = Touch.none
  /// Whether its axes report positions, not movements.
  var isAbsolute = false
  /// The type that the driver sets, such as KEYBOARD or ERASER.
  var type: xcb_atom_t = 0
  /// "/dev/input/event4"
  var node: String?
  /// The server's XTEST device, which on-screen keyboards type with.
  var isVirtual = false
  /// Whether autorotate disabled it.
  var isMarked = false

  /// `nil` for the virtual master devices.
  init?(_ info: UnsafeMutablePointer<xcb_input_xi_device_info_t>) {
    let use = UInt32(info.pointee.type)
    guard use != XCB_INPUT_DEVICE_TYPE_MASTER_POINTER.rawValue,
      use != XCB_INPUT_DEVICE_TYPE_MASTER_KEYBOARD.rawValue
    else { return nil }
    id = info.pointee.deviceid
    isEnabled = info.pointee.enabled != 0
    isPointer = use != XCB_INPUT_DEVICE_TYPE_SLAVE_KEYBOARD.rawValue
    let bytes = UnsafeRawBufferPointer(
      start: xcb_input_xi_device_info_name(info), count: Int(xcb_input_xi_device_info_name_length(info)))
    name = String(decoding: bytes, as: UTF8.self).printable()
    var iterator = xcb_input_xi_device_info_classes_iterator(info)
    while iterator.rem > 0, let data = iterator.data {
      readClass(data)
      xcb_input_device_class_next(&iterator)
    }
  }

  private mutating func readClass(_ data: UnsafeMutablePointer<xcb_input_device_class_t>) {
    switch UInt32(data.pointee.type) {
    case XCB_INPUT_DEVICE_CLASS_TYPE_TOUCH.rawValue:
      let kind = UnsafeRawPointer(data).assumingMemoryBound(to: xcb_input_touch_class_t.self).pointee.mode
      touch = UInt32(kind) == XCB_INPUT_TOUCH_MODE_DIRECT.rawValue ? .direct : .dependent
    case XCB_INPUT_DEVICE_CLASS_TYPE_VALUATOR.rawValue:
      let axis = UnsafeRawPointer(data).assumingMemoryBound(to: xcb_input_valuator_class_t.self)
      guard axis.pointee.number == 0 else { return }
      isAbsolute = UInt32(axis.pointee.mode) == XCB_INPUT_VALUATOR_MODE_ABSOLUTE.rawValue
    default: break
    }
  }

  /// Whether it is of a kind that has to follow the panel's rotation.
  func isOnPanel(_ atoms: X11Atoms) -> Bool { touch == .direct || touch == .none && atoms.isOnPanel(type) }
}

extension XInput {
  /// All physical devices, with their properties.
  func devices() throws(Message) -> [InputDevice] {
    let types = try deviceTypes()
    let query = xcb_input_xi_query_device(connection.handle, UInt16(XCB_INPUT_DEVICE_ALL.rawValue))
    var devices = try connection.reply(query, xcb_input_xi_query_device_reply, Self.devices)
    let requests = devices.map { [connection] device in
      (
        node: X11Property(of: device.id, connection, .deviceNode, words: 64),
        isVirtual: X11Property(of: device.id, connection, .xtestDevice),
        mark: X11Property(of: device.id, connection, .disabledMark)
      )
    }
    for (index, request) in requests.enumerated() {
      devices[index].type = types[devices[index].id] ?? 0
      let node = request.node.bytes()?.prefix { $0 != 0 }
      devices[index].node = node.map { String(decoding: $0, as: UTF8.self) }
      devices[index].isVirtual = request.isVirtual.bytes()?.first == 1
      devices[index].isMarked = request.mark.bytes() != nil
    }
    try connection.checkAnswers()
    return devices
  }

  private static func devices(
    _ reply: UnsafeMutablePointer<xcb_input_xi_query_device_reply_t>
  ) -> [InputDevice] {
    var devices: [InputDevice] = []
    var iterator = xcb_input_xi_query_device_infos_iterator(reply)
    while iterator.rem > 0, let info = iterator.data {
      if let device = InputDevice(info) { devices.append(device) }
      xcb_input_xi_device_info_next(&iterator)
    }
    return devices
  }

  /// The types that drivers set.
  private func deviceTypes() throws(Message) -> [xcb_input_device_id_t: xcb_atom_t] {
    let kinds = xcb_input_list_input_devices(connection.handle)
    return try connection.reply(kinds, xcb_input_list_input_devices_reply) { reply in
      let devices = array(
        xcb_input_list_input_devices_devices(reply), xcb_input_list_input_devices_devices_length(reply))
      let types = devices.map { (xcb_input_device_id_t($0.device_id), $0.device_type) }
      return Dictionary(types) { first, _ in first }
    }
  }
}
