// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// A physical input device of any kind, with what decides whether it may be disabled.
struct InputDevice {
  var id: xcb_input_device_id_t
  var name: String
  var isEnabled: Bool
  /// The driver's word, such as KEYBOARD or ERASER.
  var type: xcb_atom_t = 0
  var isTouchscreen = false
  /// "/dev/input/event4"
  var node: String?
  /// The server's own, which on-screen keyboards type with.
  var isVirtual = false
  /// Whether we disabled it.
  var isMarked = false

  /// `nil` for the virtual master devices.
  init?(_ info: UnsafeMutablePointer<xcb_input_xi_device_info_t>) {
    let use = UInt32(info.pointee.type)
    guard
      use != XCB_INPUT_DEVICE_TYPE_MASTER_POINTER.rawValue,
      use != XCB_INPUT_DEVICE_TYPE_MASTER_KEYBOARD.rawValue
    else { return nil }
    id = info.pointee.deviceid
    isEnabled = info.pointee.enabled != 0
    let bytes = UnsafeRawBufferPointer(
      start: xcb_input_xi_device_info_name(info), count: Int(xcb_input_xi_device_info_name_length(info)))
    name = String(decoding: bytes, as: UTF8.self).printable()
    var iterator = xcb_input_xi_device_info_classes_iterator(info)
    while iterator.rem > 0, let data = iterator.data {
      if UInt32(data.pointee.type) == XCB_INPUT_DEVICE_CLASS_TYPE_TOUCH.rawValue {
        data.withMemoryRebound(to: xcb_input_touch_class_t.self, capacity: 1) {
          isTouchscreen = UInt32($0.pointee.mode) == XCB_INPUT_TOUCH_MODE_DIRECT.rawValue
        }
      }
      xcb_input_device_class_next(&iterator)
    }
  }
}

extension XInput {
  /// All physical devices.
  func inputDevices() throws(X11Error) -> [InputDevice] {
    let types = try deviceTypes()
    let query = xcb_input_xi_query_device(connection.handle, UInt16(XCB_INPUT_DEVICE_ALL.rawValue))
    var devices = try connection.reply(query, xcb_input_xi_query_device_reply, Self.inputDevices)
    let requests = devices.map { InputDeviceRequest(connection, $0.id) }
    for (index, request) in requests.enumerated() {
      devices[index].type = types[devices[index].id] ?? 0
      request.collect(connection, into: &devices[index])
    }
    try connection.checkAnswers()
    return devices
  }

  private static func inputDevices(
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
}

/// The properties of one device that are told apart from it, on their way.
private struct InputDeviceRequest {
  private let node: xcb_input_xi_get_property_cookie_t
  private let isVirtual: xcb_input_xi_get_property_cookie_t
  private let mark: xcb_input_xi_get_property_cookie_t

  init(_ connection: X11Connection, _ device: xcb_input_device_id_t) {
    let ask = { (property: xcb_atom_t, words: UInt32) in
      xcb_input_xi_get_property(connection.handle, device, 0, property, 0, 0, words)
    }
    node = ask(connection.atoms.deviceNode, 64)
    isVirtual = ask(connection.atoms.xtestDevice, 1)
    mark = ask(connection.atoms.disabledMark, 1)
  }

  func collect(_ connection: X11Connection, into device: inout InputDevice) {
    device.node = Self.bytes(connection, node).map { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    device.isVirtual = Self.bytes(connection, isVirtual)?.first == 1
    device.isMarked = Self.bytes(connection, mark) != nil
  }

  /// `nil` if there is no such property.
  private static func bytes(
    _ connection: X11Connection, _ cookie: xcb_input_xi_get_property_cookie_t
  ) -> [UInt8]? {
    let bytes = try? connection.reply(cookie, xcb_input_xi_get_property_reply) { reply -> [UInt8]? in
      guard reply.pointee.format == 8, reply.pointee.num_items > 0,
        let items = xcb_input_xi_get_property_items(reply)
      else { return nil }
      return Array(UnsafeRawBufferPointer(start: items, count: Int(reply.pointee.num_items)))
    }
    return bytes ?? nil
  }
}
