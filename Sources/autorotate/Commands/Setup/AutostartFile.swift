// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import System

/// A file in the user's autostart folder that starts this program at login.
struct AutostartFile {
  /// The name of the file in the package, for all users.
  static let packaged = "org.autorotate.Autorotate.desktop"

  let path: String
  private let name: String
  private let arguments: [String]
  /// Without a command, it only hides the shipped file.
  private var isHiding: Bool { arguments.isEmpty }

  /// - Parameter directories: the base directories of all programs' settings.
  static func daemon(_ directories: BaseDirectories = .init()) throws(Message) -> Self {
    try Self("autorotate.desktop", "Autorotate", ["--wait", "--unless-running"], directories)
  }

  static func tray(_ directories: BaseDirectories = .init()) throws(Message) -> Self {
    try Self("autorotate-tray.desktop", "Autorotate's icon", ["tray"], directories)
  }

  /// Hides the shipped file: of two files of one name, the user's takes effect.
  static func hiding(_ directories: BaseDirectories = .init()) throws(Message) -> Self {
    try Self(packaged, "Autorotate", [], directories)
  }

  /// Those of the user that may switch the daemon's start at login off. The first one that does decides.
  static func ofDaemon(_ directories: BaseDirectories = .init()) throws(Message) -> [Self] {
    [try daemon(directories), try hiding(directories)]
  }

  private init(
    _ file: String, _ name: String, _ arguments: [String], _ directories: BaseDirectories
  ) throws(Message) {
    guard let home = directories.configHome else { throw .noSettingsDirectory }
    path = "\(home)/autostart/\(file)"
    self.name = name
    self.arguments = arguments
  }

  var exists: Bool { SystemFile.exists(path) }

  func text(program: String) -> String {
    guard !isHiding else { return "[Desktop Entry]\nType=Application\nName=\(name)\nHidden=true\n" }
    let command = ([Self.quoted(program)] + arguments).joined(separator: " ")
    // With TryExec, desktops ignore the file once the program is removed.
    let tried = program.replacing("\\", with: "\\\\")
    return "[Desktop Entry]\nType=Application\nName=\(name)\nIcon=org.autorotate.Autorotate\n"
      + "TryExec=\(tried)\nExec=\(command)\n"
  }

  func start(program: String) throws(Message) {
    do throws(SystemError) { try DetachedProgram.start([program] + arguments) } catch {
      let what: Phrase = "\(program.printable(limit: 1000)) cannot be started: \(error.reason)"
      throw Message(.commandFailed, what)
    }
  }

  func write(program: String) throws(Message) {
    let file = SettingsFile(path: path)
    try file.write(Array(text(program: program).utf8), over: file.found())
  }

  /// Stops the start at login. A file that the user has written or changed, or a link, only gets a line.
  func switchOff(program: String) throws(Message) {
    let file = SettingsFile(path: path)
    if let bytes = try file.found(), !isAsWritten(bytes) {
      _ = try file.change { DesktopEntryLines($0 ?? []).hidden }
    } else if isHiding {
      try write(program: program)
    } else {
      _ = try remove()
    }
  }

  /// Undoes `switchOff`.
  /// - Returns: whether the file switched the start off.
  func switchOn() throws(Message) -> Bool {
    guard let entry = try entrySwitchedOff else { return false }
    // Without a command, it only hides the file of the package.
    guard entry.hasCommand else { return try remove() }
    return try SettingsFile(path: path).change { DesktopEntryLines($0 ?? []).shown }
  }

  /// The content of a file that switches the start off; else `nil`.
  var entrySwitchedOff: DesktopEntryLines? {
    get throws(Message) {
      let entry = try SettingsFile(path: path).found().map { DesktopEntryLines($0) }
      return entry?.isStarted == false ? entry : nil
    }
  }

  /// Whether the file is as `write` leaves it, for any path of the program.
  private func isAsWritten(_ bytes: [UInt8]) -> Bool {
    guard SystemFile.linkTarget(of: path) == nil else { return false }
    let tried = DesktopEntryLines(bytes).value(of: "TryExec") ?? ""
    return bytes == Array(text(program: tried.replacing("\\\\", with: "\\")).utf8)
  }

  /// - Returns: whether the file existed.
  private func remove() throws(Message) -> Bool {
    let file = SettingsFile(path: path)
    guard let old = try file.found() else { return false }
    try file.remove(old)
    return true
  }

  /// Quoted as the Desktop Entry Specification requires: special characters with a backslash, which itself is doubled
  /// in the file, and percent signs doubled.
  private static func quoted(_ path: String) -> String {
    if path.unicodeScalars.allSatisfy(\.isPlain) { return path }
    let escaped = path.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\\\\\"
      case "\"", "`", "$": "\\\\\(scalar)"
      case "%": "%%"
      default: "\(scalar)"
      }
    }
    return "\"\(escaped.joined())\""
  }
}

/// The lines of a desktop entry that a user may have written. Only the keys that switch it off are changed.
struct DesktopEntryLines {
  private static let newline = UInt8(ascii: "\n")

  private var lines: [ArraySlice<UInt8>]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
  }

  /// Whether desktops start it at login. Those that come from GNOME have a key of their own.
  var isStarted: Bool { value(of: "Hidden") != "true" && value(of: "X-GNOME-Autostart-enabled") != "false" }
  var hasCommand: Bool { value(of: "Exec") != nil }

  /// The text without the keys.
  var shown: [UInt8] {
    let group = group
    let keys = ["Hidden", "X-GNOME-Autostart-enabled"]
    let rest = lines.indices.filter { !group.contains($0) || !keys.contains(Self.key(of: lines[$0])) }
    return Array(rest.map { lines[$0] }.joined(separator: [Self.newline]))
  }

  /// The text with `Hidden=true` below the header.
  var hidden: [UInt8] {
    var entry = Self(shown)
    entry.lines.insert(ArraySlice("Hidden=true".utf8), at: entry.group.lowerBound)
    return Array(entry.lines.joined(separator: [Self.newline]))
  }

  /// The lines of the first group.
  private var group: Range<Int> {
    let header = lines.firstIndex { Self.text(of: $0) == "[Desktop Entry]" }
    let start = header.map { $0 + 1 } ?? 0
    return start..<(lines[start...].firstIndex { $0.first == UInt8(ascii: "[") } ?? lines.count)
  }

  func value(of key: String) -> String? {
    lines[group].first { Self.key(of: $0) == key }.map { line in
      Self.text(of: line.drop { $0 != UInt8(ascii: "=") }.dropFirst())
    }
  }

  private static func key(of line: ArraySlice<UInt8>) -> String {
    text(of: line.prefix { $0 != UInt8(ascii: "=") })
  }

  private static func text(of bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).trimmed
  }
}
