// SPDX-License-Identifier: MIT

package import Autorotation
package import System

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
