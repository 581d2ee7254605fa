// SPDX-License-Identifier: MIT

import Autorotation

/// What a desktop file says that matters here. Whatever else it holds, however broken, is passed over.
struct DesktopFile: Equatable, Sendable {
  /// The WM_CLASS of the application's windows, if it is not the file's own name.
  var startupWMClass: String?
  /// What the application can show; `nil` if it does not say, or says nothing that is understood.
  var orientations: [OrientationWord]?
  /// Whether the file stands for a deleted one.
  var isHidden = false

  /// - Parameter bytes: the file, or as much of its beginning as one cares to read.
  init(_ bytes: UnsafeRawBufferPointer) {
    var values: [Key: String] = [:]
    var isInGroup = false
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      guard let first = line.first(where: { !$0.isBlank }) else { continue }
      if first == UInt8(ascii: "[") {
        // Other groups are about actions, not about the application.
        if isInGroup { break }
        isInGroup = Self.text(line) == "[Desktop Entry]"
      } else if isInGroup, let (key, value) = Self.entry(line), values[key] == nil {
        values[key] = value
      }
    }
    startupWMClass = values[.startupWMClass].flatMap { $0.isEmpty ? nil : $0 }
    let declared = [values[.lomiri], values[.ubuntu]].compactMap { $0 }
    orientations = declared.lazy.compactMap(DesktopFileOrientations.words).first
    isHidden = values[.hidden] == "true"
  }

  /// The keys that matter, as they are written. Lomiri was Ubuntu's Unity 8.
  private enum Key: String, CaseIterable {
    case startupWMClass = "StartupWMClass"
    case hidden = "Hidden"
    case lomiri = "X-Lomiri-Supported-Orientations"
    case ubuntu = "X-Ubuntu-Supported-Orientations"

    /// Looked at for each line of each file, most of which are translations of other keys.
    static let firstLetters = Set(allCases.compactMap(\.rawValue.utf8.first))
  }

  private static func entry(_ line: Slice<UnsafeRawBufferPointer>) -> (Key, String)? {
    guard let first = line.first, Key.firstLetters.contains(first),
      let equals = line.firstIndex(of: UInt8(ascii: "=")),
      let key = Key(rawValue: text(line[..<equals]))
    else { return nil }
    return (key, text(line[line.index(after: equals)...]))
  }

  /// The bytes as text, without the blanks around them.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    guard let start = bytes.firstIndex(where: { !$0.isBlank }),
      let end = bytes.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(decoding: bytes[start...end], as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
