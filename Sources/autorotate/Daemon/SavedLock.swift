// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import SystemBus

/// Keeps the lock over a restart: one word in `$XDG_STATE_HOME/autorotate/lock`.
struct SavedLock {
  private let directory: String?

  private var path: String? { directory.map { "\($0)/lock" } }

  /// - Parameter environment: looks a variable up.
  init(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    directory = Self.stateDirectory(environment).map { "\($0)/autorotate" }
  }

  /// As the XDG base directory specification says: a relative path counts as none.
  private static func stateDirectory(_ environment: (String) -> String?) -> String? {
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state }
    return environment("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
  }

  /// - Returns: `nil` if nothing is saved, or nothing that makes sense.
  func load() -> InterfaceOrientation? {
    guard let path, let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var word = [UInt8](repeating: 0, count: 16)
    let count = fread(&word, 1, word.count, file)
    let text = String(decoding: word.prefix(count), as: UTF8.self)
    return text.split(whereSeparator: \.isWhitespace).first.flatMap { InterfaceOrientation(word: String($0)) }
  }

  /// - Parameter orientation: `nil` forgets.
  /// - Throws: `SystemError` if the file system does not let it.
  func save(_ orientation: InterfaceOrientation?) throws {
    guard let directory, let path else { throw SystemError(call: "XDG_STATE_HOME", code: ENOENT) }
    guard let orientation else {
      guard unlink(path) == 0 || errno == ENOENT else {
        throw SystemError(call: "unlink \(path)", code: errno)
      }
      return
    }
    try makeDirectories(directory)
    try replace(path, with: orientation.word + "\n")
  }

  private func makeDirectories(_ directory: String) throws {
    var path = ""
    for part in directory.split(separator: "/") {
      path += "/\(part)"
      guard mkdir(path, 0o700) == 0 || errno == EEXIST || errno == EISDIR else {
        throw SystemError(call: "mkdir \(path)", code: errno)
      }
    }
  }

  /// Writes beside it and renames, so that a full disk does not lose what was saved.
  private func replace(_ path: String, with text: String) throws {
    let draft = path + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open \(draft)", code: errno) }
    let isWritten = Console.write(text, to: descriptor)
    let code = errno
    close(descriptor)
    guard isWritten else { throw SystemError(call: "write \(draft)", code: code) }
    guard rename(draft, path) == 0 else { throw SystemError(call: "rename \(draft)", code: errno) }
  }
}
