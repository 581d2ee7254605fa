// SPDX-License-Identifier: MIT

import Glibc
import System

/// Where the socket of the session's display system is, or is to be.
struct DisplaySocket: Equatable {
  enum Language { case wayland, x11 }

  var language: Language
  var path: String

  /// The sockets that the environment names: `WAYLAND_DISPLAY`'s, else `DISPLAY`'s.
  static func named(_ variable: (String) -> String?) -> [Self] {
    let wayland = try? WaylandSocket.path(display: nil, variable: variable)
    let x11 = variable("DISPLAY").flatMap(x11Path)
    return [wayland.map { Self(language: .wayland, path: $0) }, x11.map { Self(language: .x11, path: $0) }]
      .compactMap(\.self)
  }

  /// - Parameter display: ":0" or "unix:0.1"; those of other machines have no socket.
  static func x11Path(_ display: String) -> String? {
    let parts = display.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix",
      let number = parts[1].split(separator: ".").first, number.allSatisfy(\.isNumber)
    else { return nil }
    return "/tmp/.X11-unix/X\(number)"
  }

  /// The only Wayland socket of this person where somebody listens, for a program that was started before the session
  /// had a WAYLAND_DISPLAY to hand on.
  static func onlyOne(in directory: String) -> Self? {
    let names = SystemFile.names(in: directory).filter { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
    let living = names.map { "\(directory)/\($0)" }.filter {
      (try? CompositorSocket(connectingTo: $0)) != nil
    }
    return living.count == 1 ? Self(language: .wayland, path: living[0]) : nil
  }

  /// What every server of its kind answers to, whoever asks: "are you done with what came before?" in Wayland's
  /// words, and the greeting in X11's.
  var question: [UInt8] {
    switch language {
    case .wayland:
      // wl_display is object 1; its request 0, of 12 bytes, makes object 2.
      withUnsafeBytes(of: (UInt32(1), UInt32(12 << 16), UInt32(2))) { Array($0) }
    case .x11:
      // The byte order of what follows, protocol 11.0, and no word of authority.
      (1.littleEndian == 1 ? [0x6C, 0, 11, 0, 0, 0] : [0x42, 0, 0, 11, 0, 0]) + [0, 0, 0, 0, 0, 0]
    }
  }
}
