// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// An input device that lies on a panel: a touchscreen or a pen.
struct PanelDevice: Hashable {
  var id: xcb_input_device_id_t
  var name: String
  /// "/dev/input/event4"
  var node: String?
}

extension PanelDevice {
  init(_ device: InputDevice) {
    self.init(id: device.id, name: device.name, node: device.node)
  }
}

extension TouchPlacement {
  /// - Parameter known: the devices that udev knows.
  func place(of device: PanelDevice, _ known: [MappedTouchscreens.Device]) -> Place {
    place(of: known.first { $0.node == device.node }, named: [device.name])
  }
}

/// The XInput extension: finds touchscreens and pens, and reports touches.
final class XInput {
  enum Change {
    case devices
    case property(xcb_atom_t, of: xcb_input_device_id_t)
    case touchBegan(Finger)
    case touchEnded(Finger)
  }

  let connection: X11Connection
  private let opcode: UInt8

  /// `nil` if the server's XInput is older than 2.2, which does not support touchscreens.
  init?(_ connection: X11Connection) throws {
    guard let reply = cxcb_input_extension(connection.handle), reply.pointee.present != 0 else { return nil }
    let cookie = xcb_input_xi_query_version(connection.handle, 2, 2)
    let version = try connection.reply(cookie, xcb_input_xi_query_version_reply) {
      ($0.pointee.major_version, $0.pointee.minor_version)
    }
    guard version >= (2, 2) else { return nil }
    self.connection = connection
    opcode = reply.pointee.major_opcode
    selectEvents()
  }

  /// Whether events of keys and pointers are selected, too.
  var reportsAllInput = false {
    didSet {
      if reportsAllInput != oldValue { selectEvents() }
    }
  }

  private func selectEvents() {
    var touches =
      XCB_INPUT_XI_EVENT_MASK_RAW_TOUCH_BEGIN.rawValue | XCB_INPUT_XI_EVENT_MASK_RAW_TOUCH_END.rawValue
    if reportsAllInput {
      touches |=
        XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS.rawValue | XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS.rawValue
        | XCB_INPUT_XI_EVENT_MASK_RAW_MOTION.rawValue
    }
    let changes = XCB_INPUT_XI_EVENT_MASK_HIERARCHY.rawValue | XCB_INPUT_XI_EVENT_MASK_PROPERTY.rawValue
    let masks = [(XCB_INPUT_DEVICE_ALL, changes), (XCB_INPUT_DEVICE_ALL_MASTER, touches)].map {
      EventMask(head: .init(deviceid: UInt16($0.rawValue), mask_len: 1), events: $1)
    }
    masks.withUnsafeBytes { bytes in
      let start = bytes.assumingMemoryBound(to: xcb_input_event_mask_t.self).baseAddress
      xcb_input_xi_select_events(connection.handle, connection.root, UInt16(masks.count), start)
    }
    connection.flush()
  }

  /// As in the protocol: a head, followed by as many 32-bit words of mask bits as the head says.
  private struct EventMask {
    var head: xcb_input_event_mask_t
    var events: UInt32
  }

  /// The change that an event reports; `nil` for other events.
  func change(_ event: X11Event) -> Change? {
    switch event.number(in: opcode) {
    case XCB_INPUT_HIERARCHY: return .devices
    case XCB_INPUT_PROPERTY:
      let change: xcb_input_property_event_t = event.contents()
      return .property(change.property, of: change.deviceid)
    case XCB_INPUT_RAW_TOUCH_BEGIN: return .touchBegan(finger(event))
    case XCB_INPUT_RAW_TOUCH_END: return .touchEnded(finger(event))
    default: return nil
    }
  }

  private func finger(_ event: X11Event) -> Finger {
    let touch: xcb_input_raw_touch_begin_event_t = event.contents()
    return Finger(device: touch.sourceid, touch: touch.detail)
  }

  /// The devices that lie on a panel by their type and the settings.
  func panelDevices(_ settings: DisplaySettings) throws(Message) -> [PanelDevice] {
    panelDevices(among: try devices(), settings)
  }

  func panelDevices(among devices: [InputDevice], _ settings: DisplaySettings) -> [PanelDevice] {
    let chosen = devices.filter {
      $0.isPointer && $0.isAbsolute && settings.includes([$0.name], onPanel: $0.isOnPanel(connection.atoms))
    }
    return chosen.map { PanelDevice($0) }
  }
}

extension X11Connection {
  /// Sets a property of one byte, without waiting. libxcb always reads whole units of four bytes: it would read, and
  /// send, memory behind a shorter array.
  func set(_ property: xcb_atom_t, to value: UInt8, of device: xcb_input_device_id_t) {
    xcb_input_xi_change_property(
      handle, device, UInt8(XCB_PROP_MODE_REPLACE.rawValue), 8, property, XCB_ATOM_INTEGER.rawValue, 1,
      [value, 0, 0, 0])
  }
}

struct Finger: Hashable {
  /// XInput's device id.
  var device: UInt16
  /// XInput's id of the touch.
  var touch: UInt32
}

/// The fingers that touch the panel: the first touch and the end of the last are reported.
struct TouchingFingers {
  private var fingers: Set<Finger> = []

  /// - Returns: whether it is the first.
  mutating func began(_ finger: Finger) -> Bool {
    fingers.insert(finger).inserted && fingers.count == 1
  }

  /// - Returns: whether it was the last.
  mutating func ended(_ finger: Finger) -> Bool { fingers.remove(finger) != nil && fingers.isEmpty }

  /// Removes the fingers on devices that no longer exist.
  /// - Returns: whether the last finger was removed.
  mutating func keep(onlyOn devices: Set<UInt16>) -> Bool {
    let before = fingers.count
    fingers = fingers.filter { devices.contains($0.device) }
    return before > 0 && fingers.isEmpty
  }
}
