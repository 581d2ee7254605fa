// SPDX-License-Identifier: MIT

import CXCB

/// An event of the X server, valid while it is handled.
typealias X11Event = UnsafeMutablePointer<xcb_generic_event_t>

extension X11Event {
  /// Its number, without the mark of events that another client has sent.
  var number: Int32 { Int32(pointee.response_type & 0x7f) }

  /// The event in its own type.
  func contents<Contents>() -> Contents {
    UnsafeRawPointer(self).load(as: Contents.self)
  }

  /// The number of an event of the extension with this opcode; `nil` for all others.
  func number(in opcode: UInt8) -> Int32? {
    guard number == XCB_GE_GENERIC else { return nil }
    let head: xcb_ge_generic_event_t = contents()
    return head.extension == opcode ? Int32(head.event_type) : nil
  }
}
