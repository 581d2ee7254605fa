// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import System
import Temporary
import Testing

struct SystemFileTests {
  /// Whole entries were copied, of which the last ones in the C library's buffer are shorter than their type: with the
  /// address sanitizer that ends the process.
  @Test func `names are read exactly to their ends`() throws {
    let directory = try TemporaryDirectory()
    let names = (1...1500).map { "file\($0)" } + [String(repeating: "x", count: 255)]
    for name in names { close(open(directory[name], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
    #expect(Set(SystemFile.names(in: directory.path)) == Set(names))
    #expect(SystemFile.names(in: directory["nowhere"]).isEmpty)
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

  @Test func `a lock held for long is an error`() throws {
    let directory = try TemporaryDirectory()
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let failure = #expect(throws: SystemError.self) {
      try SystemFile.replace(directory["file"], with: [], mode: 0o600)
    }
    #expect(failure?.code == EAGAIN)
    #expect(SystemFile.names(in: directory.path).isEmpty)
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

  @Test func `a draft that cannot take its place is removed`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "folder/inside")
    #expect(throws: SystemError.self) {
      try SystemFile.replace(directory["folder"], with: Array("new".utf8), mode: 0o600) { true }
    }
    #expect(SystemFile.names(in: directory.path) == ["folder"])
  }
}
