// SPDX-License-Identifier: MIT

/// What niri answers: one line, `{"Ok": …}` or `{"Err": "…"}`.
enum NiriReply {
  static let outputs = "\"Outputs\"\n"
  static let version = "\"Version\"\n"
  static let eventStream = "\"EventStream\"\n"

  /// - Returns: what is in `Ok`.
  static func value(_ line: [UInt8]) -> Result<JSONValue, CompositorFailure> {
    guard let reply = JSONValue(line) else { return .failure(.garbled("it is not JSON")) }
    if let value = reply["Ok"] { return .success(value) }
    guard let words = reply["Err"]?.string else { return .failure(.garbled("neither Ok nor Err")) }
    return .failure(.refused(words))
  }

  /// - Parameter value: what is in `Ok`, after a request to change an output.
  /// - Returns: what niri has against it; `nil` if nothing.
  static func complaint(_ value: JSONValue) -> String? {
    switch value["OutputConfigChanged"]?.string {
    case "Applied": nil
    case "OutputWasMissing": "no such output"
    default: "an answer to something else"
    }
  }
}
