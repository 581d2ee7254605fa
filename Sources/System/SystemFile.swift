// SPDX-License-Identifier: MIT

import Glibc

/// Small files, such as those in `/proc` and `/sys`, and directories.
nonisolated package enum SystemFile {
  /// - Parameters:
  ///   - maximumBytes: later bytes are left out.
  ///   - onlyFiles: whether pipes, devices and directories are refused, and files in `/proc` and `/sys` count as empty.
  /// - Returns: `nil` if there is no such file, or it cannot be read.
  package static func text(of path: String, maximumBytes: Int = 4096, onlyFiles: Bool = false) -> String? {
    bytes(of: path, maximumBytes: maximumBytes, onlyFiles: onlyFiles).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Like `text`, for a binary file.
  package static func bytes(of path: String, maximumBytes: Int, onlyFiles: Bool = false) -> [UInt8]? {
    try? bytes(of: path, maximumBytes: maximumBytes, types: onlyFiles ? [S_IFREG] : nil)
  }

  /// - Parameter types: the types of files that are read; `nil` for all.
  /// - Returns: `nil` for another type.
  package static func bytes(
    of path: String, maximumBytes: Int, types: [UInt32]?
  ) throws(SystemError) -> [UInt8]? {
    // Does not wait for a writer of a FIFO.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    try check(file, "open", path)
    defer { close(file) }
    var status = stat()
    try check(fstat(file, &status), "fstat", path)
    let type = status.st_mode & S_IFMT
    guard types?.contains(type) ?? true else { return nil }
    // Among files alone, those of /proc and /sys count as empty: their size is unknown.
    let limit = types == [S_IFREG] ? min(Int(status.st_size), maximumBytes) : maximumBytes
    let found: [UInt8]? = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
      var (filled, count) = (0, 0)
      // One read returns the whole attribute of a device, but maybe only a part of a file.
      repeat {
        count = read(file, buffer.baseAddress.map { $0 + filled }, limit - filled)
        filled += max(0, count)
      } while types != nil && (count > 0 && filled < limit || count < 0 && errno == EINTR)
      return count < 0 ? nil : Array(buffer[..<filled])
    }
    guard let found else { throw SystemError(call: "read \(path)", code: errno) }
    return found
  }

  /// Whether there is a file of any type, or the target of a link.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  package static func isFile(_ path: String) -> Bool { type(of: path) == S_IFREG }
  package static func isDirectory(_ path: String) -> Bool { type(of: path) == S_IFDIR }

  /// The type of a file, or of a link's target; `nil` if there is no such file.
  private static func type(of path: String) -> mode_t? {
    var file = stat()
    return stat(path, &file) == 0 ? file.st_mode & S_IFMT : nil
  }

  /// The first line, without its end.
  package static func line(of path: String) -> String? {
    text(of: path).map { String($0.prefix { !$0.isNewline && $0 != "\0" }) }
  }

  /// The names in a directory, unordered; none if it cannot be read.
  package static func names(in directory: String) -> [String] { (try? entries(of: directory)) ?? [] }

  /// The names in a directory, unordered.
  /// - Throws: `SystemError` if it does not exist, or cannot be read to its end.
  package static func entries(of directory: String) throws(SystemError) -> [String] {
    guard let stream = opendir(directory) else {
      throw SystemError(call: "opendir \(directory)", code: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    // Only errno distinguishes a failure from the end.
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError(call: "readdir \(directory)", code: errno) }
    return names
  }

  /// Writes a draft next to the file, and renames it: the file is always the old one or the new one, also after a power
  /// cut, and a full disk loses nothing. Each writer has its own draft, and writers replace the file one at a time.
  /// - Parameters:
  ///   - mode: the permissions of the file.
  ///   - keepsRights: whether an existing file keeps its permissions and its owner.
  ///   - isWanted: called last, after the draft is on the disk, which may take a while. No other caller of this
  ///     function replaces or removes the file between this call and the end.
  /// - Throws: `SystemError` if writing fails, or it is no longer wanted (`ESTALE`); then the file is unchanged.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32, keepsRights: Bool = false,
    ifStill isWanted: () -> Bool = { true }
  ) throws(SystemError) {
    let lock = try WriterLock(nextTo: path)
    if lock.isHeld { removeDrafts(of: path) }
    // Recognized by `isDraft`: "name.0123456789abcdef.new".
    let draft = "\(path).\(UInt64.random(in: 0...UInt64.max).hexadecimal).new"
    var old = stat()
    let isKept = keepsRights && stat(path, &old) == 0
    let owner = isKept ? (old.st_uid, old.st_gid) : nil
    do throws(SystemError) {
      try write(bytes, to: draft, mode: isKept ? old.st_mode & 0o7777 : mode, owner)
      guard isWanted() else { throw SystemError(call: "replace \(path)", code: ESTALE) }
      try check(rename(draft, path), "rename", draft)
    } catch {
      unlink(draft)
      throw error
    }
    lock.syncDirectory()
  }

  /// - Parameter isWanted: as in `replace`.
  /// - Throws: `SystemError`; a missing file is not an error.
  package static func remove(_ path: String, ifStill isWanted: () -> Bool = { true }) throws(SystemError) {
    let lock = try WriterLock(nextTo: path)
    guard isWanted() else { throw SystemError(call: "remove \(path)", code: ESTALE) }
    guard unlink(path) != 0 else { return lock.syncDirectory() }
    let failure = errno
    // A read-only file system returns EROFS even if there is no such file.
    var file = stat()
    if lstat(path, &file) != 0, errno == ENOENT || errno == ENOTDIR { return }
    throw SystemError(call: "unlink \(path)", code: failure)
  }

  /// - Returns: `nil` if it is not a link.
  package static func linkTarget(of path: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      let count = buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? -1
      return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// The file name of a link's target; `nil` if it is not a link.
  package static func linkName(of path: String) -> String? {
    linkTarget(of: path)?.split(separator: "/").last.map(String.init)
  }

  /// The directory of a device in `/sys`, which may be a link, and those of its parent devices.
  package static func upward(from directory: String) -> [String] {
    (0..<16).map { directory + String(repeating: "/..", count: $0) }
  }

  /// The path with all links resolved; `nil` if there is no such file.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Makes the missing parent directories of a file.
  /// - Parameter ignoresUmask: for directories that must be readable for all users, whatever root's umask is.
  package static func makeDirectories(
    above path: String, mode: UInt32, ignoresUmask: Bool = false
  ) throws(SystemError) {
    var directory = ""
    for part in path.split(separator: "/").dropLast() {
      directory += "/\(part)"
      if mkdir(directory, mode) == 0 {
        if ignoresUmask { try check(chmod(directory, mode), "chmod", directory) }
        continue
      }
      let failure = errno
      guard failure != EEXIST, access(directory, X_OK) != 0 else { continue }
      throw SystemError(call: "mkdir \(directory)", code: failure)
    }
  }

  /// Removes the drafts of writers that were killed.
  private static func removeDrafts(of path: String) {
    let (directory, name) = split(path)
    for found in names(in: directory) where isDraft(found, of: name) { unlink(directory + found) }
  }

  /// The directory, with a slash at its end, and the name in it.
  package static func split(_ path: String) -> (directory: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("./", path[...]) }
    let start = path.utf8.index(after: slash)
    return (String(path[..<start]), path[start...])
  }

  private static func isDraft(_ found: String, of name: Substring) -> Bool {
    guard found.hasPrefix("\(name)."), found.hasSuffix(".new") else { return false }
    let number = found.dropFirst(name.count + 1).dropLast(4)
    return number.count == 16 && number.allSatisfy(\.isHexDigit)
  }

  /// Never writes to a link or pipe in place of the draft.
  private static func write(
    _ bytes: [UInt8], to draft: String, mode: UInt32, _ owner: (uid_t, gid_t)?
  ) throws(SystemError) {
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode & 0o600)
    try check(descriptor, "open", draft)
    defer { close(descriptor) }
    if let (user, group) = owner {
      let result = fchown(descriptor, user, group)
      // Only root can change the owner.
      if geteuid() == 0 { try check(result, "fchown", draft) }
    }
    try check(fchmod(descriptor, mode), "fchmod", draft)
    try write(bytes, to: descriptor, draft)
    try check(fsync(descriptor), "fsync", draft)
  }

  /// Writes all bytes, in several calls if needed.
  /// - Parameter path: for the error.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError(call: "write \(path)", code: count < 0 ? errno : ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }

  private static func check(_ result: Int32, _ call: String, _ path: String) throws(SystemError) {
    guard result >= 0 else { throw SystemError(call: "\(call) \(path)", code: errno) }
  }
}

nonisolated extension StringProtocol {
  /// Without blanks at both ends.
  package var trimmed: String {
    // By a concrete type: generic code outside its module allocates for each character.
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// For a path.
  package var withoutLastSlash: String {
    var path = String(self)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

nonisolated extension FixedWidthInteger where Self: UnsignedInteger {
  /// With leading zeros: "00ff".
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}

/// A lock of the process that may replace files in a directory. The kernel releases it when the process ends.
nonisolated struct WriterLock: ~Copyable {
  /// Any process that can read the directory can also lock it, which must not block this program for ever.
  private static let timeoutNanoseconds: Int64 = 2_000_000_000
  private static let pauseMicroseconds: UInt32 = 2_000

  /// The file is locked before the directory; -1 if there is none.
  private let directory, file: Int32
  /// `false` if the file system does not support locks, or root writes without one.
  let isHeld: Bool

  /// - Parameters:
  ///   - path: of a file in the directory.
  ///   - runtime: for the file to lock, which only this user can open. Not root's, which would be in the user's way.
  ///   - isRoot: whether no other process may prevent writing: every user can lock a directory like /etc/greetd.
  /// - Throws: `EAGAIN` if another process keeps it longer than the timeout.
  init(
    nextTo path: String, runtime: String? = BaseDirectories().runtime, isRoot: Bool = geteuid() == 0
  ) throws(SystemError) {
    let name = SystemFile.split(path).directory
    directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    file = isRoot ? -1 : Self.lockFile(for: directory, in: runtime)
    let code = Self.lock(file < 0 ? directory : file)
    isHeld = code == 0
    // Root, and processes without a runtime directory, lock the directory alone, as another user may.
    if file >= 0, isHeld { _ = Self.lock(directory) }
    if code == EAGAIN, !isRoot { throw SystemError(call: "flock \(name)", code: code) }
  }

  deinit {
    for descriptor in [file, directory] where descriptor >= 0 { close(descriptor) }
  }

  private static func lockFile(for directory: Int32, in runtime: String?) -> Int32 {
    var status = stat()
    guard let runtime, fstat(directory, &status) == 0 else { return -1 }
    let name = "\(runtime)/autorotate-\(status.st_dev)-\(status.st_ino).lock"
    return open(name, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
  }

  /// Writes new names to the disk. It is not an error that some file systems do not support this.
  func syncDirectory() {
    if directory >= 0 { fsync(directory) }
  }

  /// - Returns: an errno; 0 for success.
  static func lock(_ descriptor: Int32) -> Int32 {
    let end = EventLoop.now + timeoutNanoseconds
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EAGAIN || errno == EINTR else { return errno }
      guard EventLoop.now < end else { return EAGAIN }
      usleep(pauseMicroseconds)
    }
    return 0
  }
}
