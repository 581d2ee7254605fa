// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// The names of the daemon on the session bus. Members and types are in the program's
/// `ControlService`, and for others in `packaging/dbus/org.autorotate.Autorotate1.xml`.
package enum ControlInterface {
  package static let name = "org.autorotate.Autorotate1"
  package static let path = "/org/autorotate/Autorotate1"
  package static let target = BusTarget(service: name, path: path, interface: name)
}

extension DaemonCommand.Argument {
  /// The argument in a message.
  package var value: Value {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .uint32(number)
    case .flag(let flag): .bool(flag)
    }
  }
}
