// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// Has the login screen start autorotate beside it, or no longer.
struct GreeterSetup {
  let manager: DisplayManager
  /// A directory that stands for /, and where our own files are: PREFIX.
  let root: String
  let prefix: String

  private var wrapper: String { "\(prefix)/libexec/autorotate/greeter" }

  /// - Returns: the file that was written.
  func add() throws -> String {
    guard let piece = manager.piece else { return try wrapGreetd() }
    let source = "\(root)\(prefix)/share/autorotate/greeter/\(piece.name)"
    guard let bytes = SystemFile.bytes(of: source, mostBytes: 4096) else {
      throw Message(
        .commandNotPossible, "\(source), which comes with autorotate, is not there",
        next: "install autorotate, with its package or with `make install`")
    }
    try write(bytes, to: piece.path)
    return piece.path
  }

  /// - Returns: the file that was changed or taken away; `nil` if there was nothing of ours.
  func remove() throws -> String? {
    guard let piece = manager.piece else { return try unwrapGreetd() }
    guard access(root + piece.path, F_OK) == 0 else { return nil }
    guard unlink(root + piece.path) == 0 else { throw refusal(of: piece.path, errno) }
    return piece.path
  }

  // MARK: greetd

  private func wrapGreetd() throws -> String {
    let settings = try greetd()
    guard let wrapped = settings.wrapped else {
      let command = settings.command ?? ""
      throw Message(
        .commandNotPossible,
        "\(GreetdSettings.path) starts \(command.printable()), where there is no greeter behind -- to begin with",
        next: "write \(wrapper) before the greeter in the settings of the compositor that shows it")
    }
    if !settings.isWrapped { try write(Array(wrapped.utf8), to: GreetdSettings.path) }
    return GreetdSettings.path
  }

  private func unwrapGreetd() throws -> String? {
    guard access(root + GreetdSettings.path, F_OK) == 0 else { return nil }
    let settings = try greetd()
    guard settings.isWrapped else { return nil }
    try write(Array(settings.unwrapped.utf8), to: GreetdSettings.path)
    return GreetdSettings.path
  }

  private func greetd() throws -> GreetdSettings {
    guard let text = SystemFile.text(of: root + GreetdSettings.path, mostBytes: 65536) else {
      throw Message(.commandNotPossible, "\(GreetdSettings.path) cannot be read")
    }
    return GreetdSettings(text: text, wrapper: wrapper)
  }

  // MARK: Files

  private func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try SystemFile.makeDirectories(above: root + path, mode: 0o755)
      try SystemFile.replace(root + path, with: bytes, mode: 0o644)
    } catch {
      throw refusal(of: path, error.code)
    }
  }

  private func refusal(of path: String, _ code: Int32) -> Message {
    let reason = SystemError(call: path, code: code).reason
    guard [EACCES, EPERM].contains(code) else {
      return Message(.commandFailed, "\(path) cannot be written: \(reason)")
    }
    return Message(
      .commandFailed, "\(path) belongs to the administrator", next: "run it as root, for instance with sudo")
  }
}
