// SPDX-License-Identifier: MIT

import CXCB
import Glibc

/// A window's property, asked for and on its way.
struct X11Property {
  private let cookie: xcb_get_property_cookie_t

  /// - Parameters:
  ///   - type: a property of another type counts as none.
  ///   - words: how much of it to read, in units of four bytes.
  init(
    _ connection: X11Connection, _ window: xcb_window_t, _ property: xcb_atom_t, type: xcb_atom_enum_t,
    words: UInt32 = 1
  ) {
    self.init(connection, window, property, type: type.rawValue, words: words)
  }

  init(
    _ connection: X11Connection, _ window: xcb_window_t, _ property: xcb_atom_t, type: xcb_atom_t,
    words: UInt32
  ) {
    cookie = xcb_get_property(connection.handle, 0, window, property, type, 0, words)
  }

  /// The numbers of a property of 32-bit format.
  /// - Returns: `nil` if there is no such property, or no such window.
  func numbers(_ connection: X11Connection) -> [UInt32]? {
    collect(connection, format: 32) { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) }
    }
  }

  /// The text of a property of 8-bit format.
  /// - Returns: `nil` if there is no such property, or no such window.
  func text(_ connection: X11Connection) -> String? {
    collect(connection, format: 8) { String(decoding: $0, as: UTF8.self) }
  }

  private func collect<Value>(
    _ connection: X11Connection, format: UInt8, _ read: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    let value = try? connection.reply(cookie, xcb_get_property_reply) { reply -> Value? in
      guard reply.pointee.format == format else { return nil }
      let count = Int(xcb_get_property_value_length(reply))
      return read(UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: count))
    }
    return value ?? nil
  }
}
