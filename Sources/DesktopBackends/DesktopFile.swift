// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The entries of a desktop file that autorotate needs. All others, even if invalid, are ignored.
struct DesktopFile: Equatable, Sendable {
  /// The WM_CLASS of the application's windows, if it is not the file's own name.
  var startupWMClass: String?
  /// The file name of the program that it starts.
  var program: String?
  /// The orientations that the application declares; `nil` if there is no valid declaration.
  var orientations: [OrientationName]?
  /// Whether the file marks the application as deleted (`Hidden`).
  var isHidden = false

  /// - Parameter bytes: the file, or its beginning.
  init(_ bytes: UnsafeRawBufferPointer) {
    var values: [Key: String] = [:]
    var isInGroup = false
    var rest = bytes
    while let line = Self.nextLine(&rest) {
      // Most lines are translations of other keys than those below.
      guard let first = line.first, " \t\r[SEHX".utf8.contains(first) else { continue }
      let text = Self.text(line[...])
      if text.hasPrefix("[") {
        // Other groups describe actions, not the application.
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

  /// Removes the first line, and returns it without its line end.
  private static func nextLine(_ rest: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let start = rest.baseAddress, rest.count > 0 else { return nil }
    let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count).map { UnsafeRawPointer($0) - start }
    let length = end ?? rest.count
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[min(length + 1, rest.count)...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<length])
  }

  /// The keys that are read. Lomiri was Ubuntu's Unity 8.
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

  private static let blanks = Array(" \t\r".utf8)

  /// The bytes as text, without leading and trailing blanks.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let text = bytes.drop { blanks.contains($0) }
    guard let end = text.lastIndex(where: { !blanks.contains($0) }) else { return "" }
    return String(decoding: text[...end], as: UTF8.self)
  }
}

/// The value of X-Lomiri-Supported-Orientations, parsed as in Lomiri's qtmir (`parseOrientations` in
/// desktopfilereader.cpp): words separated by semicolons or commas; case, blanks, `-` and `_` are ignored. One unknown
/// word makes the value invalid; `primary` is only valid alone.
enum DesktopFileOrientations {
  /// - Returns: `nil` if the value is empty or invalid.
  static func words(_ value: String) -> [OrientationName]? {
    let words = value.lowercased().split(whereSeparator: { $0 == ";" || $0 == "," })
      .map { $0.filter { !$0.isWhitespace && $0 != "-" && $0 != "_" } }
      .filter { !$0.isEmpty }
    if words == ["primary"] { return [.natural] }
    let known = words.compactMap { names[$0] }
    return known.isEmpty || known.count < words.count ? nil : known
  }

  /// In Lomiri, `landscape` and `portrait` exclude the inverted orientation. Authors mean the shape of the screen. A
  /// tablet may stand on either edge, so with one of the two, half of the users would see the screen upside down. So
  /// each includes both orientations here.
  private static let names: [String: OrientationName] = [
    "landscape": .landscape, "portrait": .portrait, "invertedlandscape": .landscapeSecondary,
    "invertedportrait": .portraitSecondary,
  ]
}
