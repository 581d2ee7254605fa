// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import System

extension ConfigurationDirectories {
  /// The path of the user's config.toml, which may not exist; `nil` without a home.
  package var userSettings: String? { all.first { $0.layer == .user }?.settings }
}

/// A file of settings on disk. Errors have a next step.
package struct SettingsFile {
  package let path: String
  /// Whether it is the administrator's, for another program, whose settings may be large.
  private let isForAllUsers: Bool
  private var maximumBytes: Int { isForAllUsers ? 1 << 20 : ParsedFile.maximumBytes }

  package init(path: String, isForAllUsers: Bool = false) {
    self.path = path
    self.isForAllUsers = isForAllUsers
  }

  /// - Returns: `nil` if there is none.
  package func found() throws(Message) -> [UInt8]? {
    switch FileSearch.content(of: path, maximumBytes) {
    case nil: return nil
    case .bytes(let bytes) where bytes.count <= maximumBytes: return bytes
    case .bytes:
      throw Message(
        .commandFailed, "\(shownPath) is larger than \(maximumBytes / 1024) KiB",
        next: "is it the right file?")
    case .unreadable(let reason):
      throw Message(
        .commandFailed, "\(shownPath) cannot be read: \(reason)",
        next: isForAllUsers ? Self.asRoot : "make it a text file that you may read, or remove it")
    }
  }

  /// Reads, edits and replaces the file. If another program has written it meanwhile, starts again, so that both
  /// changes are kept.
  /// - Parameter edit: called with the contents; `nil` if there is no file.
  /// - Returns: whether the file has changed.
  package func change(_ edit: ([UInt8]?) throws(Message) -> [UInt8]) throws(Message) -> Bool {
    for _ in 1..<Self.maximumTries {
      let old = try found()
      let new = try edit(old)
      guard new != old ?? [] else { return false }
      if try replace(old, by: new) { return true }
    }
    throw changed
  }

  /// Each try fails only if another program has written the file.
  private static let maximumTries = 100

  /// Replaces the file atomically: readers see the old or the new one, and a full disk loses nothing.
  /// - Parameter old: the contents as read before; `nil` if there was no file. A later change is not overwritten.
  package func write(_ bytes: [UInt8], over old: [UInt8]?) throws(Message) {
    guard try replace(old, by: bytes) else { throw changed }
  }

  /// - Returns: `false` if it was changed since it was read.
  private func replace(_ old: [UInt8]?, by bytes: [UInt8]) throws(Message) -> Bool {
    // A symbolic link stays one, for users who keep their settings elsewhere.
    let target = try target()
    try checkIsWritable(target)
    guard try found() == old else { return false }
    do throws(SystemError) {
      try SystemFile.makeDirectories(above: target, mode: 0o755, ignoresUmask: isForAllUsers)
      try SystemFile.replace(target, with: bytes, mode: 0o644, keepsRights: true) { isUnchanged(old) }
      return true
    } catch {
      guard error.code == ESTALE else { throw refusal(error.code) }
      return false
    }
  }

  /// - Parameter old: the contents as read before.
  package func remove(_ old: [UInt8]) throws(Message) {
    guard try found() == old else { throw changed }
    do throws(SystemError) {
      try SystemFile.remove(path) { isUnchanged(old) }
    } catch {
      throw error.code == ESTALE ? changed : refusal(error.code)
    }
  }

  private func isUnchanged(_ old: [UInt8]?) -> Bool {
    do { return try found() == old } catch { return false }
  }

  private var changed: Message {
    Message(
      .commandFailed, "\(shownPath) was changed by another program, so nothing was written",
      next: "try again")
  }

  private func target() throws(Message) -> String {
    if let resolved = SystemFile.realPath(path) { return resolved }
    guard SystemFile.linkTarget(of: path) != nil else { return path }
    throw Message(
      .commandFailed, "\(shownPath) is a link to a missing file", next: "make that file, or remove the link")
  }

  /// Write access to the folder is enough to replace a read-only file, which must not happen.
  private func checkIsWritable(_ target: String) throws(Message) {
    guard access(target, F_OK) == 0 else { return }
    guard SystemFile.isFile(target) else {
      throw Message(
        .commandFailed, "\(shownPath) is not a file", next: "replace it with a file, or remove it")
    }
    guard access(target, W_OK) == 0 else { throw refusal(errno) }
  }

  private func refusal(_ code: Int32) -> Message {
    let what: Phrase = "\(shownPath) cannot be written: \(String(cString: strerror(code)))"
    return Message(.commandFailed, what, next: nextStep(after: code))
  }

  private func nextStep(after code: Int32) -> Phrase {
    switch code {
    case EACCES where isForAllUsers, EPERM where isForAllUsers: Self.asRoot
    case EACCES, EPERM:
      "check its owner with `ls -ld \(folder.asArgument) \(path.asArgument)`, and make it yours with `sudo chown`"
    case EROFS: "change it at its source, such as in the configuration of home-manager"
    case ENOSPC, EDQUOT: "free some disk space"
    case EAGAIN: "see which program keeps \(folder) locked with `lsof \(folder.asArgument)`"
    case ENOTDIR, EEXIST: "check what exists there with `ls -ld \(folder.asArgument)`"
    default: "write it by hand"
    }
  }

  private static let asRoot: Phrase = "run it as root, for instance with sudo"

  private var shownPath: String { path.printable(limit: 1000) }
  private var folder: String { SystemFile.split(shownPath).directory }
}
