// SPDX-License-Identifier: MIT

/// A JSON value to be written on one line. Members keep their order.
///
/// Sendable is explicit, since Swift 6.2 reports a circular reference when it has to infer it.
package enum JSON: CustomStringConvertible, Sendable {
  case null
  case bool(Bool)
  case number(UInt64)
  /// With two decimals.
  case decimal(Double)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  /// `null` for an empty text.
  package static func optional(_ text: String) -> JSON { text.isEmpty ? .null : .string(text) }

  package var description: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): "\(number)"
    case .decimal(let number): number.isFinite ? number.text(decimals: 2) : "null"
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.0) + ":\($0.1)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case ..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(scalar)
    }
  }
}
