// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// What a desktop file says that matters here. Whatever else it holds, however broken, is passed over.
struct DesktopFile: Equatable, Sendable {
  /// The WM_CLASS of the application's windows, if it is not the file's own name.
  var startupWMClass: String?
  /// The name of the program that it starts.
  var program: String?
  /// What the application can show; `nil` if it does not say, or says nothing that is understood.
  var orientations: [OrientationWord]?
  /// Whether the file stands for a deleted one.
  var isHidden = false

  /// - Parameter bytes: the file, or as much of its beginning as one cares to read.
  init(_ bytes: UnsafeRawBufferPointer) {
    var values: [Key: String] = [:]
    var isInGroup = false
    var rest = bytes
    while let line = Self.nextLine(&rest) {
      // Most lines are translations of keys that do not matter.
      guard let first = line.first, Self.isMeaningful(first) else { continue }
      let text = Self.text(line[...])
      if text.hasPrefix("[") {
        // Other groups are about actions, not about the application.
        if isInGroup { break }
        isInGroup = text == "[Desktop Entry]"
      } else if isInGroup, let (key, value) = Self.entry(line), values[key] == nil {
        values[key] = value
      }
    }
    startupWMClass = values[.startupWMClass].flatMap { $0.isEmpty ? nil : $0 }
    program = values[.exec]?.split(separator: " ").first?.split(separator: "/").last.map(String.init)
    let declared = [values[.lomiri], values[.ubuntu]].compactMap { $0 }
    orientations = declared.lazy.compactMap(DesktopFileOrientations.words).first
    isHidden = values[.hidden] == "true"
  }

  /// Takes a line off the beginning, without its end.
  private static func nextLine(_ rest: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let start = rest.baseAddress, rest.count > 0 else { return nil }
    let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count).map { UnsafeRawPointer($0) - start }
    let length = end ?? rest.count
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[min(length + 1, rest.count)...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<length])
  }

  /// Whether a line that begins so may be a group's or that of a key that matters.
  private static func isMeaningful(_ first: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "["), UInt8(ascii: "S"), UInt8(ascii: "E"), UInt8(ascii: "H"), UInt8(ascii: "X"): true
    default: first.isBlank
    }
  }

  /// The keys that matter, as they are written. Lomiri was Ubuntu's Unity 8.
  private enum Key: String {
    case startupWMClass = "StartupWMClass"
    case exec = "Exec"
    case hidden = "Hidden"
    case lomiri = "X-Lomiri-Supported-Orientations"
    case ubuntu = "X-Ubuntu-Supported-Orientations"
  }

  private static func entry(_ line: UnsafeRawBufferPointer) -> (Key, String)? {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")), let key = Key(rawValue: text(line[..<equals]))
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
  fileprivate var isBlank: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }
}

/// The value of X-Lomiri-Supported-Orientations, as Lomiri's qtmir reads it (`parseOrientations` in
/// desktopfilereader.cpp): words between semicolons or commas, without regard to case, blanks, `-` and `_`;
/// one word that is unknown makes it mean nothing; `primary` stands alone.
enum DesktopFileOrientations {
  /// - Returns: `nil` if the value does not say anything.
  static func words(_ value: String) -> [OrientationWord]? {
    let words = value.lowercased().split(whereSeparator: { $0 == ";" || $0 == "," })
      .map { $0.filter { !$0.isWhitespace && $0 != "-" && $0 != "_" } }
      .filter { !$0.isEmpty }
    if words == ["primary"] { return [.natural] }
    let known = words.compactMap(word)
    return known.isEmpty || known.count < words.count ? nil : known
  }

  /// Lomiri takes `landscape` and `portrait` for the one that is not inverted. Who writes them means that
  /// the picture shall be wide, or high; on a tablet that may stand on either edge, insisting on one of the
  /// two would show it upside down to half of the people. So each is both.
  private static func word(_ word: String) -> OrientationWord? {
    switch word {
    case "landscape": .landscape
    case "portrait": .portrait
    case "invertedlandscape": .landscapeSecondary
    case "invertedportrait": .portraitSecondary
    default: nil
    }
  }
}
