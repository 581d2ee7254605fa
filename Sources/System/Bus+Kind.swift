// SPDX-License-Identifier: MIT

import Glibc

extension Bus {
  /// A bus, and its address.
  nonisolated package enum Kind: Equatable, Sendable {
    /// The user's: `DBUS_SESSION_BUS_ADDRESS`, or else the socket `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// The machine's: `DBUS_SYSTEM_BUS_ADDRESS`, or else the usual socket.
    case system
    /// Any other, by its D-Bus address ("unix:path=/run/other").
    case at(address: String)
  }
}

nonisolated extension Bus.Kind {
  /// `nil` if the environment has no address.
  var address: String? {
    switch self {
    case .session:
      Environment.variable("DBUS_SESSION_BUS_ADDRESS")
        ?? Environment.variable("XDG_RUNTIME_DIR").map { "unix:path=\(Self.escaped($0))/bus" }
    case .system: Environment.variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
    case .at(let address): address
    }
  }

  /// For use in sentences.
  var name: String {
    switch self {
    case .session: "the session bus"
    case .system: "the system bus"
    case .at(let address): "the bus at \(address)"
    }
  }

  /// Whether there is anything to connect to, now or later.
  package var hasAddress: Bool { address != nil }

  /// The error for a bus that accepts a connection and does not answer.
  package var silence: BusError { BusError(BusError.silentBus, "\(name) does not answer", .silent(self)) }

  func absence(_ code: Int32) -> BusError {
    let reason = String(cString: strerror(abs(code)))
    guard abs(code) != ENOMEDIUM else {
      return BusError(BusError.noServer, "\(name) has no address", .withoutAddress(self))
    }
    return BusError(
      BusError.noServer, "\(name) does not answer: \(reason)", .unreachable(self, reason: reason))
  }

  /// Escaped for a D-Bus address: all but these characters as % and two hexadecimal digits.
  static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
        UInt8(ascii: "."):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}
