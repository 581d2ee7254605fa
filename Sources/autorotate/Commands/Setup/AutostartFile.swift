// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Glibc
import Language
import System

/// A file in the user's autostart folder that starts this program at login.
struct AutostartFile {
  let path: String
  private let name: String
  private let arguments: [String]
  private var isHiding = false

  /// - Parameter directories: the base directories of all programs' settings.
  static func daemon(_ directories: BaseDirectories = .init()) throws(Message) -> Self {
    try Self("autorotate.desktop", "Autorotate", ["--wait", "--unless-running"], directories)
  }

  static func tray(_ directories: BaseDirectories = .init()) throws(Message) -> Self {
    try Self("autorotate-tray.desktop", "Autorotate's icon", ["tray"], directories)
  }

  /// Hides the shipped file: of two files of one name, the user's takes effect.
  static func hiding(_ directories: BaseDirectories = .init()) throws(Message) -> Self {
    var file = try Self("org.autorotate.Autorotate.desktop", "Autorotate", [], directories)
    file.isHiding = true
    return file
  }

  private init(
    _ file: String, _ name: String, _ arguments: [String], _ directories: BaseDirectories
  ) throws(Message) {
    guard let home = directories.configHome else { throw .noSettingsDirectory }
    path = "\(home)/autostart/\(file)"
    self.name = name
    self.arguments = arguments
  }

  var exists: Bool { access(path, F_OK) == 0 }

  func text(program: String) -> String {
    guard !isHiding else { return "[Desktop Entry]\nType=Application\nName=\(name)\nHidden=true\n" }
    let command = ([Self.quoted(program)] + arguments).joined(separator: " ")
    // With TryExec, desktops ignore the file once the program is removed.
    let tried = program.replacing("\\", with: "\\\\")
    return "[Desktop Entry]\nType=Application\nName=\(name)\nIcon=org.autorotate.Autorotate\n"
      + "TryExec=\(tried)\nExec=\(command)\n"
  }

  func start(program: String) throws(Message) {
    do throws(SystemError) { try DetachedProgram.start([program] + arguments) } catch { throw refusal(error) }
  }

  func write(program: String) throws(Message) {
    do throws(SystemError) {
      try SystemFile.makeDirectories(above: path, mode: 0o755)
      try SystemFile.replace(path, with: Array(text(program: program).utf8), mode: 0o644)
    } catch {
      throw refusal(error)
    }
  }

  /// - Returns: whether the file existed.
  func remove() throws(Message) -> Bool {
    if unlink(path) == 0 { return true }
    guard [ENOENT, ENOTDIR].contains(errno) else { throw refusal(SystemError(call: "unlink", code: errno)) }
    return false
  }

  private func refusal(_ error: SystemError) -> Message {
    Message(
      .commandFailed, "\(path.printable(limit: 1000)): \(error.reason)",
      next: "make its directory writable, or configure the desktop to start `autorotate --wait`")
  }

  /// Quoted as the Desktop Entry Specification requires: special characters with a backslash, which itself is doubled
  /// in the file, and percent signs doubled.
  private static func quoted(_ path: String) -> String {
    guard path.contains(where: { !$0.isLetter && !$0.isNumber && !"/._-+".contains($0) }) else { return path }
    let escaped = path.map { character in
      switch character {
      case "\\": "\\\\\\\\"
      case "\"", "`", "$": "\\\\\(character)"
      case "%": "%%"
      default: "\(character)"
      }
    }
    return "\"\(escaped.joined())\""
  }
}
