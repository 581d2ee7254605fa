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
    let ours = try installed(piece.name)
    // An administrator may have added to it.
    if let found = try content(of: piece.path), Self.lines(ours).allSatisfy(Self.lines(found).contains) {
      return piece.path
    }
    try write(ours, to: piece.path, over: try content(of: piece.path))
    return piece.path
  }

  /// Takes back what is ours. What the administrator has added to a file stays.
  /// - Returns: the file that was changed or taken away; `nil` if there was nothing of ours.
  func remove() throws -> String? {
    guard let piece = manager.piece else { return try unwrapGreetd() }
    guard let found = try content(of: piece.path) else { return nil }
    let ours = try installed(piece.name)
    guard found != ours else {
      guard unlink(root + piece.path) == 0 else { throw refusal(of: piece.path, errno) }
      return piece.path
    }
    let rest = Self.lines(found).filter { Self.isHeader($0) || !Self.lines(ours).contains($0) }
    guard rest != Self.lines(found) else { return nil }
    try write(Array(rest.joined(separator: [UInt8(ascii: "\n")])), to: piece.path, over: found)
    return piece.path
  }

  /// The file that comes with the program.
  private func installed(_ name: String) throws -> [UInt8] {
    let source = "\(root)\(prefix)/share/autorotate/greeter/\(name)"
    if let bytes = SystemFile.bytes(of: source, mostBytes: 4096) { return bytes }
    throw Message(
      .commandNotPossible, "\(source), which comes with autorotate, is not there",
      next: "install autorotate, with its package or with `make install`")
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// It belongs to all that follows; an empty line belongs to nobody.
  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    line.isEmpty || line.first == UInt8(ascii: "[")
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
    if !settings.isWrapped { try write(wrapped, to: GreetdSettings.path, over: settings.bytes) }
    return GreetdSettings.path
  }

  private func unwrapGreetd() throws -> String? {
    guard access(root + GreetdSettings.path, F_OK) == 0 else { return nil }
    let settings = try greetd()
    guard settings.isWrapped else { return nil }
    try write(settings.unwrapped, to: GreetdSettings.path, over: settings.bytes)
    return GreetdSettings.path
  }

  private func greetd() throws -> GreetdSettings {
    guard let bytes = try content(of: GreetdSettings.path) else {
      throw Message(.commandNotPossible, "\(GreetdSettings.path) cannot be read")
    }
    return GreetdSettings(bytes: bytes, wrapper: wrapper)
  }

  // MARK: Files

  /// - Returns: `nil` if there is no such file, or it cannot be read.
  private func content(of path: String) throws -> [UInt8]? {
    let most = GreetdSettings.mostBytes
    let bytes = SystemFile.bytes(of: root + path, mostBytes: most + 1, onlyFiles: true)
    guard bytes?.count ?? 0 <= most else {
      throw Message(
        .commandFailed, "\(path) is larger than \(most / 1024) KiB", next: "is it the right file?")
    }
    return bytes
  }

  /// - Parameter old: what was read of it; `nil` if there was none. What somebody has written since is not written over.
  private func write(_ bytes: [UInt8], to path: String, over old: [UInt8]?) throws {
    // A link stays one.
    let target = SystemFile.realPath(root + path) ?? root + path
    do throws(SystemError) {
      try SystemFile.makeDirectories(above: target, mode: 0o755, ignoresUmask: true)
      try SystemFile.replace(target, with: bytes, mode: 0o644, keepsRights: true) {
        SystemFile.bytes(of: target, mostBytes: GreetdSettings.mostBytes + 1, onlyFiles: true) == old
      }
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
