// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

// What the X server knows of whether a pen is near. XInput 2 has no word for it; XInput 1 has, in the state of the device.
extension XInput {
  /// XInput 1 numbers devices in a byte.
  private static let numbers: ClosedRange<xcb_input_device_id_t> = 0...127

  /// Which of these devices can be near and away; the others are always where they are.
  func knowingProximity(_ devices: [xcb_input_device_id_t]) -> Set<xcb_input_device_id_t> {
    let requests = devices.filter(Self.numbers.contains).map {
      ($0, xcb_input_open_device(connection.handle, UInt8($0)))
    }
    let proximity = UInt8(XCB_INPUT_INPUT_CLASS_PROXIMITY.rawValue)
    let found = requests.filter { _, request in
      let classes = try? connection.reply(request, xcb_input_open_device_reply) { reply in
        let pairs = Self.tail(UnsafeRawPointer(reply), words: reply.pointee.length)
        return stride(from: 0, to: pairs.count, by: 2).prefix(Int(reply.pointee.num_classes)).map {
          pairs[$0]
        }
      }
      return classes?.contains(proximity) ?? false
    }
    return Set(found.map(\.0))
  }

  /// Which of these devices are near now.
  func near(_ devices: Set<xcb_input_device_id_t>) -> Set<xcb_input_device_id_t> {
    let requests = devices.map { ($0, xcb_input_query_device_state(connection.handle, UInt8($0))) }
    let found = requests.filter { _, request in
      let isAway = try? connection.reply(request, xcb_input_query_device_state_reply) { reply in
        Self.saysAway(Self.tail(UnsafeRawPointer(reply), words: reply.pointee.length))
      }
      return isAway == false
    }
    return Set(found.map(\.0))
  }

  /// What follows the 32 bytes of every reply.
  private static func tail(_ reply: UnsafeRawPointer, words: UInt32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: reply + 32, count: Int(words) * 4)
  }

  /// - Parameter states: one after the other, each with its class and its length in front.
  nonisolated static func saysAway(_ states: UnsafeRawBufferPointer) -> Bool {
    var rest = states[...]
    while let kind = rest.first, let length = rest.dropFirst().first, length >= 4, rest.count >= length {
      if UInt32(kind) == XCB_INPUT_INPUT_CLASS_VALUATOR.rawValue {
        let mode = UInt32(rest[rest.startIndex + 3])
        return mode & XCB_INPUT_VALUATOR_STATE_MODE_MASK_OUT_OF_PROXIMITY.rawValue != 0
      }
      rest = rest.dropFirst(Int(length))
    }
    return false
  }

  /// Whether each motion of a device is told, whatever window it is in and whoever has grabbed it.
  func hearMotion(of device: xcb_input_device_id_t, _ isWanted: Bool) {
    let motion = isWanted ? XCB_INPUT_XI_EVENT_MASK_RAW_MOTION.rawValue : 0
    select([EventMask(device: device, events: motion)])
  }
}
