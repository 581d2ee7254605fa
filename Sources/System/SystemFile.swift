// SPDX-License-Identifier: MIT

import Glibc

/// Small files of the system, such as those in `/proc` and `/sys`, and what lies in a directory.
nonisolated package enum SystemFile {
  /// - Parameters:
  ///   - mostBytes: what is behind these is left out.
  ///   - onlyFiles: whether a pipe, a device or a directory counts as none.
  /// - Returns: `nil` if there is no such file, or it cannot be read.
  package static func text(of path: String, mostBytes: Int = 4096, onlyFiles: Bool = false) -> String? {
    bytes(of: path, mostBytes: mostBytes, onlyFiles: onlyFiles).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same of a file that is no text.
  package static func bytes(of path: String, mostBytes: Int, onlyFiles: Bool = false) -> [UInt8]? {
    // Not to wait for somebody to write into a FIFO.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard !onlyFiles || fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: mostBytes, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      return count < 0 ? nil : Array(buffer[..<count])
    }
  }

  package static func isFile(_ path: String) -> Bool {
    var file = stat()
    return stat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFREG
  }

  /// The first line, without its end.
  package static func line(of path: String) -> String? {
    text(of: path).map { String($0.prefix { $0 != "\n" && $0 != "\0" }) }
  }

  /// The names in a directory, in no order; none if there is no such directory, or it cannot be read.
  package static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Writes a draft beside the file, and renames it: the file is always the old one or the new one, also after a
  /// power cut, and a full disk loses nothing. A link or a pipe that waits in the place of the draft is not
  /// written to.
  /// - Parameters:
  ///   - mode: the permissions of the file.
  ///   - isWanted: asked last, when the draft is on the disk, which may take a while.
  /// - Throws: `SystemError` if the file system does not let it, or it is no longer wanted (`ESTALE`); then the file is
  ///   as it was.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32, ifStill isWanted: () -> Bool = { true }
  ) throws(SystemError) {
    let draft = path + ".new"
    let descriptor = try create(draft, mode)
    do throws(SystemError) {
      defer { close(descriptor) }
      try check(fchmod(descriptor, mode), "fchmod", draft)
      try write(bytes, to: descriptor, draft)
      try check(fsync(descriptor), "fsync", draft)
      guard isWanted() else { throw SystemError(call: "replace \(path)", code: ESTALE) }
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw SystemError(call: "rename \(draft)", code: code)
    }
    keepNames(besides: path)
  }

  /// Those that are missing above a file.
  package static func makeDirectories(above path: String, mode: UInt32) throws(SystemError) {
    var directory = ""
    for part in path.split(separator: "/").dropLast() {
      directory += "/\(part)"
      guard mkdir(directory, mode) != 0, errno != EEXIST, errno != EISDIR else { continue }
      let failure = errno
      guard access(directory, X_OK) == 0 else { throw SystemError(call: "mkdir \(directory)", code: failure) }
    }
  }

  private static func create(_ draft: String, _ mode: UInt32) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    var descriptor = open(draft, flags, mode)
    // Left by one that was killed, or put there by somebody else.
    if descriptor < 0, errno == EEXIST, unlink(draft) == 0 { descriptor = open(draft, flags, mode) }
    try check(descriptor, "open", draft)
    return descriptor
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(descriptor, Array(bytes[written...]), bytes.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError(call: "write \(path)", code: errno) }
      written += count
    }
  }

  /// The new name is on the disk only when its directory is. Some file systems cannot tell, which is no error.
  private static func keepNames(besides path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let directory = open(String(path[...slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  private static func check(_ result: Int32, _ call: String, _ path: String) throws(SystemError) {
    guard result >= 0 else { throw SystemError(call: "\(call) \(path)", code: errno) }
  }
}
