// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import Temporary
import Testing

@testable import System

struct SystemFileTests {
  /// Whole entries were copied, of which the last ones in the C library's buffer are shorter than their type: with the
  /// address sanitizer that ends the process.
  @Test func `names are read exactly to their ends`() throws {
    let directory = try TemporaryDirectory()
    let names = (1...1500).map { "file\($0)" } + [String(repeating: "x", count: 255)]
    for name in names { close(open(directory[name], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
    #expect(Set(SystemFile.names(in: directory.path)) == Set(names))
    #expect(SystemFile.names(in: directory["nowhere"]).isEmpty)
    #expect(throws: SystemError.self) { try SystemFile.entries(of: directory["nowhere"]) }
  }

  /// Nobody makes directories in /sys.
  @Test func `a directory that cannot be made says why`() {
    let failure = #expect(throws: SystemError.self) {
      try SystemFile.makeDirectories(above: "/sys/autorotate/tests/file", mode: 0o755)
    }
    #expect(failure.map { [EPERM, EACCES, EROFS].contains($0.code) } == true)
  }

  @Test func `an unwanted draft does not replace the file`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("old", to: "file")
    let failure = #expect(throws: SystemError.self) {
      try SystemFile.replace(directory["file"], with: Array("new".utf8), mode: 0o600) {
        SystemFile.names(in: directory.path).count == 1
      }
    }
    #expect(failure?.code == ESTALE)
    #expect(try directory.text("file") == "old")
    #expect(SystemFile.names(in: directory.path) == ["file"])
    try SystemFile.replace(directory["file"], with: Array("new".utf8), mode: 0o600) { true }
    #expect(try directory.text("file") == "new")
  }

  @Test func `a file that must not be removed stays`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("old", to: "file")
    let failure = #expect(throws: SystemError.self) { try SystemFile.remove(directory["file"]) { false } }
    #expect(failure?.code == ESTALE)
    #expect(try directory.text("file") == "old")
    try SystemFile.remove(directory["file"]) { true }
    #expect(SystemFile.names(in: directory.path).isEmpty)
  }

  /// The umask takes rights away from a file that is created.
  @Test func `a replaced file has all rights of its mode`() throws {
    let directory = try TemporaryDirectory()
    try SystemFile.replace(directory["file"], with: [], mode: 0o666)
    var status = stat()
    #expect(stat(directory["file"], &status) == 0 && status.st_mode & 0o777 == 0o666)
  }

  @Test func `five writers at once leave one whole file`() throws {
    let directory = try TemporaryDirectory()
    let contents = (0..<5).map { [UInt8](repeating: UInt8($0), count: 50_000) }
    try SystemFile.replace(directory["file"], with: contents[0], mode: 0o600)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 200) { index in
      do {
        try SystemFile.replace(directory["file"], with: contents[index % 5], mode: 0o600)
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
      let found = SystemFile.bytes(of: directory["file"], maximumBytes: 60_000)
      if !contents.contains(found ?? []) { failures.withLock { $0.append("a part was read") } }
    }
    #expect(failures.withLock(\.self) == [])
    #expect(SystemFile.names(in: directory.path) == ["file"])
  }

  @Test func `a writer that was killed leaves no draft for ever`() throws {
    let directory = try TemporaryDirectory()
    let others = ["file.new", "file.0123456789abcde.new", "other.0123456789abcdef.new"]
    for name in others + ["file.0123456789abcdef.new"] { try directory.write("", to: name) }
    try SystemFile.replace(directory["file"], with: [], mode: 0o600)
    #expect(Set(SystemFile.names(in: directory.path)) == Set(others + ["file"]))
  }

  /// For root see below.
  @Test(.enabled(if: geteuid() != 0)) func `a lock held for long is an error`() throws {
    let directory = try TemporaryDirectory()
    let lock = try WriterLock(nextTo: directory["file"])
    let failure = #expect(throws: SystemError.self) {
      try SystemFile.replace(directory["file"], with: [], mode: 0o600)
    }
    #expect(failure?.code == EAGAIN)
    #expect(SystemFile.names(in: directory.path).isEmpty)
    lock.syncDirectory()
  }

  /// Each user who can read the directory prevented all changes in it.
  @Test func `a lock of another user does not stop a user`() throws {
    let (directory, runtime) = (try TemporaryDirectory(), try TemporaryDirectory())
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let isHeld = { () throws(SystemError) -> Bool in
      let lock = try WriterLock(nextTo: directory["file"], runtime: runtime.path, isRoot: false)
      return lock.isHeld
    }
    #expect(try isHeld())
    let own = try WriterLock(nextTo: directory["file"], runtime: runtime.path, isRoot: false)
    let failure = #expect(throws: SystemError.self) { try isHeld() }
    #expect(failure?.code == EAGAIN)
    own.syncDirectory()
    let file = try #require(SystemFile.names(in: runtime.path).first)
    #expect(try mode(runtime[file]) == 0o600)
  }

  /// Processes without that runtime directory lock the directory alone.
  @Test func `a user's lock includes the directory`() throws {
    let (directory, runtime) = (try TemporaryDirectory(), try TemporaryDirectory())
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    let lock = try WriterLock(nextTo: directory["file"], runtime: runtime.path, isRoot: false)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK)
    lock.syncDirectory()
  }

  /// A terminal returns one line for each read, and nothing for Ctrl-D.
  @Test func `what comes in parts is read whole`() throws {
    var (terminal, program): (Int32, Int32) = (-1, -1)
    try #require(openpty(&terminal, &program, nil, nil, nil) == 0)
    defer { for descriptor in [terminal, program] { close(descriptor) } }
    try SystemFile.write(Array("\nbc\n\u{4}".utf8), to: terminal, "a terminal")
    let path = try #require(SystemFile.linkTarget(of: "/proc/self/fd/\(program)"))
    let bytes = try SystemFile.bytes(of: path, maximumBytes: 10, types: [S_IFCHR])
    #expect(bytes == Array("\nbc\n".utf8))
  }

  @Test func `a failure to write says why`() throws {
    let failure = #expect(throws: SystemError.self) { try SystemFile.write([1], to: -1, "nowhere") }
    #expect(failure?.code == EBADF)
  }

  @Test func `only root writes without the lock`() throws {
    let directory = try TemporaryDirectory()
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let isHeld = { (isRoot: Bool) throws(SystemError) in
      let lock = try WriterLock(nextTo: directory["file"], runtime: nil, isRoot: isRoot)
      return lock.isHeld
    }
    let failure = #expect(throws: SystemError.self) { try isHeld(false) }
    #expect(failure?.code == EAGAIN)
    #expect(try !isHeld(true))
  }

  /// Every user can lock a directory like /etc/greetd.
  @Test(.enabled(if: geteuid() == 0)) func `a lock of another user does not stop root`() throws {
    let directory = try TemporaryDirectory()
    let draft = "file.0123456789abcdef.new"
    try directory.write("theirs", to: draft)
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    try SystemFile.replace(directory["file"], with: [1], mode: 0o600)
    #expect(Set(SystemFile.names(in: directory.path)) == ["file", draft], "a draft may be in use")
    try SystemFile.remove(directory["file"])
    #expect(SystemFile.names(in: directory.path) == [draft])
  }

  @Test func `a directory that cannot be locked is no delay`() {
    #expect(WriterLock.lock(-1) == EBADF)
  }

  @Test func `files, directories and links are distinguished`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("first\nsecond", to: "file")
    try #require(
      symlink("file", directory["link"]) == 0 && symlink("/nowhere/else", directory["broken"]) == 0)
    #expect(SystemFile.isFile(directory["link"]) && !SystemFile.isFile(directory.path))
    #expect(SystemFile.isDirectory(directory.path) && !SystemFile.isDirectory(directory["file"]))
    #expect(!SystemFile.isFile(directory["broken"]) && !SystemFile.isDirectory(directory["broken"]))
    #expect(SystemFile.linkTarget(of: directory["broken"]) == "/nowhere/else")
    #expect(SystemFile.linkName(of: directory["broken"]) == "else")
    #expect(SystemFile.linkTarget(of: directory["file"]) == nil && SystemFile.linkName(of: "/nowhere") == nil)
    #expect(
      SystemFile.realPath(directory["link"]) == SystemFile.realPath(directory.path).map { $0 + "/file" })
    #expect(SystemFile.realPath(directory["broken"]) == nil)
    #expect(SystemFile.line(of: directory["link"]) == "first")
  }

  @Test func `a text ends after the most bytes`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("0123456789", to: "file")
    for onlyFiles in [false, true] {
      let text = { SystemFile.text(of: $0, maximumBytes: $1, onlyFiles: onlyFiles) }
      #expect(text(directory["file"], 4) == "0123" && text(directory["file"], 20) == "0123456789")
      #expect(text(directory["nowhere"], 20) == nil && text(directory.path, 20) == nil)
      #expect(text("/dev/null", 20) == (onlyFiles ? nil : ""))
    }
    #expect(SystemFile.text(of: "/proc/self/comm", onlyFiles: true) == "")
    #expect(SystemFile.text(of: "/proc/self/comm")?.isEmpty == false)
  }

  @Test func `a device has fifteen parents at most`() {
    let directories = SystemFile.upward(from: "/sys/device")
    #expect(directories.prefix(3) == ["/sys/device", "/sys/device/..", "/sys/device/../.."])
    #expect(directories.count == 16)
  }

  @Test func `blanks and slashes at an end are removed`() {
    #expect(" \ta b\n".trimmed == "a b" && " ".trimmed.isEmpty)
    #expect(
      "/a/b//".withoutLastSlash == "/a/b" && "//".withoutLastSlash == "/" && "".withoutLastSlash.isEmpty)
    #expect(SystemFile.split("/a/b") == ("/a/", "b") && SystemFile.split("b") == ("./", "b"))
  }

  @Test func `directories cannot be made below a file`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "file")
    let failure = #expect(throws: SystemError.self) {
      try SystemFile.makeDirectories(above: directory["file/below/name"], mode: 0o700)
    }
    #expect(failure?.code == ENOTDIR)
    try SystemFile.makeDirectories(above: directory["some/below/name"], mode: 0o700)
    #expect(SystemFile.names(in: directory["some"]) == ["below"])
  }

  /// Whatever the umask takes away: usually the right of others to write.
  @Test func `a directory for everybody ignores the umask`() throws {
    let directory = try TemporaryDirectory()
    try SystemFile.makeDirectories(above: directory["all/file"], mode: 0o777, ignoresUmask: true)
    try SystemFile.makeDirectories(above: directory["own/file"], mode: 0o700)
    #expect(try [mode(directory["all"]), mode(directory["own"])] == [0o777, 0o700])
  }

  private func mode(_ path: String) throws -> UInt32 {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `a replaced file keeps its rights where that is wanted`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("old", to: "file")
    try #require(chmod(directory["file"], 0o640) == 0)
    try SystemFile.replace(directory["file"], with: [], mode: 0o600, keepsRights: true)
    #expect(try mode(directory["file"]) == 0o640)
  }

  private static let canChangeOwners: Bool = {
    guard let directory = try? TemporaryDirectory() else { return false }
    return geteuid() == 0 && chown(directory.path, 1234, 5678) == 0
  }()

  /// A file of another user, in a directory for all users.
  private func foreignFile() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write("old", to: "file")
    try #require(chown(directory["file"], 1234, 5678) == 0 && chmod(directory.path, 0o777) == 0)
    return directory
  }

  @Test(.enabled(if: canChangeOwners, "only root can change the owner"))
  func `a file that root replaces keeps its owner`() throws {
    let directory = try foreignFile()
    try SystemFile.replace(directory["file"], with: [], mode: 0o600, keepsRights: true)
    var status = stat()
    try #require(stat(directory["file"], &status) == 0)
    #expect([status.st_uid, status.st_gid] == [1234, 5678])
  }

  /// Linux withholds the rights of root from a thread with another user for its files; the process is still root's.
  private func asOtherUser(_ body: () throws -> Void) throws {
    // Glibc's module lacks it.
    typealias SetUser = @convention(c) (uid_t) -> CInt
    let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
    _ = setUser(4321)
    defer { _ = setUser(0) }
    try body()
  }

  /// As in a directory that the automounter manages.
  @Test(.enabled(if: canChangeOwners, "only root can act for another user"))
  func `a usable directory may be refused another time`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("private/inner")
    try #require(chmod(directory["private"], 0o700) == 0)
    try asOtherUser { try SystemFile.makeDirectories(above: directory["private/inner/file"], mode: 0o700) }
    let failure = #expect(throws: SystemError.self) {
      try asOtherUser { try SystemFile.makeDirectories(above: directory["private/other/file"], mode: 0o700) }
    }
    #expect(failure?.code == EACCES)
  }

  /// Root without the right to change owners, as in some containers.
  @Test(.enabled(if: canChangeOwners, "only root can change the owner"))
  func `a file whose owner root cannot keep stays`() throws {
    let directory = try foreignFile()
    let failure = #expect(throws: SystemError.self) {
      try asOtherUser {
        try SystemFile.replace(directory["file"], with: [], mode: 0o600, keepsRights: true)
      }
    }
    #expect(failure?.code == EPERM)
    #expect(try directory.text("file") == "old")
    #expect(SystemFile.names(in: directory.path) == ["file"])
  }

  @Test func `a draft that cannot take its place is removed`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "folder/inside")
    #expect(throws: SystemError.self) {
      try SystemFile.replace(directory["folder"], with: Array("new".utf8), mode: 0o600) { true }
    }
    #expect(SystemFile.names(in: directory.path) == ["folder"])
  }
}
