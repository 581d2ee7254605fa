// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

/// Files of state in a directory with other files.
final class StateFileTests {
  private let directory: TemporaryDirectory
  private var home: String { directory.path }
  private var state: StateFile {
    StateFile(.state, "lock", variable: { $0 == "XDG_STATE_HOME" ? home : nil })
  }
  private var path: String { "\(home)/autorotate/lock" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func text(_ path: String) -> String? { SystemFile.text(of: path) }

  private func write(_ text: String, to name: String) {
    mkdir("\(home)/autorotate", 0o700)
    let descriptor = open("\(home)/autorotate/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  @Test func `a state file is written read and removed`() throws {
    #expect(state.read() == nil)
    #expect(!state.exists)
    try state.write("left\n")
    #expect(state.read() == "left\n")
    #expect(state.exists)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try state.write("right\n")
    #expect(state.read() == "right\n")
    try state.remove()
    try state.remove()
    #expect(!state.exists)
    #expect(access(path + ".new", F_OK) != 0)
  }

  /// A link in place of the draft was followed, and its target overwritten.
  @Test func `a link in place of the draft is not followed`() throws {
    write("precious", to: "other")
    #expect(symlink("other", path + ".new") == 0)
    try state.write("left\n")
    #expect(text("\(home)/autorotate/other") == "precious")
    #expect(state.read() == "left\n")
  }

  /// Opening it for writing blocked until there was a reader.
  @Test func `a pipe in place of the draft does not block`() throws {
    write("old", to: "lock")
    #expect(mkfifo(path + ".new", 0o600) == 0)
    try state.write("left\n")
    #expect(state.read() == "left\n")
  }

  /// Opening it for reading blocked the start until there was a writer.
  @Test func `a pipe in place of the file is not read`() throws {
    mkdir("\(home)/autorotate", 0o700)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(state.read() == nil)
    #expect(!state.exists)
    try state.write("left\n")
    #expect(state.read() == "left\n")
  }

  @Test func `only the beginning of a huge file is read`() {
    write(String(repeating: "x", count: 100_000), to: "lock")
    #expect(state.read()?.utf8.count == 16384)
  }

  @Test func `a failed write leaves the old file`() throws {
    try state.write("left\n")
    // A directory cannot be replaced by a file, not even by root.
    let old = "\(home)/old"
    #expect(rename(path, old) == 0 && mkdir(path, 0o700) == 0)
    #expect(throws: SystemError.self) { try state.write("right\n") }
    #expect(rmdir(path) == 0 && rename(old, path) == 0)
    #expect(state.read() == "left\n")
  }

  @Test func `without a directory nothing is saved`() {
    for environment in [[:], ["XDG_STATE_HOME": "relative", "HOME": "here"], ["XDG_RUNTIME_DIR": "x"]] {
      for place in [StateFile.Place.state, .runtime] {
        let nowhere = StateFile(place, "x", variable: { environment[$0] })
        #expect(nowhere.path == nil)
        #expect(nowhere.read() == nil)
        #expect(throws: SystemError.self) { try nowhere.write("x") }
        #expect(throws: Never.self) { try nowhere.remove() }
      }
    }
    #expect(
      StateFile(.state, "x", variable: { $0 == "HOME" ? "/h" : nil }).path == "/h/.local/state/autorotate/x")
  }

  @Test func `a state of 16384 bytes is read whole`() throws {
    let text = String(repeating: "x", count: 16_384)
    try state.write(text)
    #expect(state.read() == text)
  }
}
