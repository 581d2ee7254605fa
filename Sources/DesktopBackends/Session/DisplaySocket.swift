// SPDX-License-Identifier: MIT

import Glibc
import System

/// The socket of the session's display system, which may not exist yet.
struct DisplaySocket: Equatable {
  enum Kind { case wayland, x11 }

  var kind: Kind
  var path: String

  /// The sockets that the environment names: `WAYLAND_DISPLAY`'s, else `DISPLAY`'s.
  static func named(_ variable: (String) -> String?) -> [Self] {
    let wayland = try? WaylandSocket.path(display: nil, variable: variable)
    let x11 = variable("DISPLAY").flatMap(x11Path)
    return [wayland.map { Self(kind: .wayland, path: $0) }, x11.map { Self(kind: .x11, path: $0) }]
      .compactMap(\.self)
  }

  /// - Parameter display: ":0" or "unix:0.1"; a display of another machine has no socket.
  static func x11Path(_ display: String) -> String? {
    let parts = display.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix",
      let number = parts[1].split(separator: ".").first, number.allSatisfy(\.isNumber)
    else { return nil }
    return "/tmp/.X11-unix/X\(number)"
  }

  /// The only Wayland socket of this user with a compositor behind it, for a program that was started before the session
  /// has set WAYLAND_DISPLAY.
  static func onlyCompositor(in directory: String) -> Self? {
    let names = SystemFile.names(in: directory).filter { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
    let connectable = names.map { "\(directory)/\($0)" }.filter {
      (try? CompositorSocket(connectingTo: $0)) != nil
    }
    return connectable.count == 1 ? Self(kind: .wayland, path: connectable[0]) : nil
  }

  /// A message that every server answers, without authentication: wl_display.sync for Wayland, the connection setup for X11.
  var probe: [UInt8] {
    switch kind {
    case .wayland:
      // wl_display is object 1; its request 0 (sync), of 12 bytes, creates object 2.
      withUnsafeBytes(of: (UInt32(1), UInt32(12 << 16), UInt32(2))) { Array($0) }
    case .x11:
      // The byte order, protocol version 11.0, and no authorization data.
      (1.littleEndian == 1 ? [0x6C, 0, 11, 0, 0, 0] : [0x42, 0, 0, 11, 0, 0]) + [0, 0, 0, 0, 0, 0]
    }
  }
}
