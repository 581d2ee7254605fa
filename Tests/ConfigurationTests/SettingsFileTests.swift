// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Temporary
import Testing

@testable import Configuration

/// Files of settings that cannot be written normally.
struct SettingsFileTests {
  private let directory: TemporaryDirectory
  private var file: SettingsFile { SettingsFile(path: directory["config.toml"]) }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func refusal(over old: String?) -> String {
    let failure = #expect(throws: Message.self) {
      try file.write(Array("new\n".utf8), over: old.map { Array($0.utf8) })
    }
    return failure?.description ?? ""
  }

  @Test func `a link is kept and its target keeps its permissions`() throws {
    try directory.write("old\n", to: "elsewhere.toml")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: directory["elsewhere.toml"])
    symlink(directory["elsewhere.toml"], file.path)
    try file.write(Array("new\n".utf8), over: Array("old\n".utf8))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == directory["elsewhere.toml"])
    #expect(try directory.text("elsewhere.toml") == "new\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory["elsewhere.toml"])
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `writing the same bytes is not a change`() throws {
    #expect(try file.change { _ in Array("new\n".utf8) })
    #expect(try !file.change { _ in Array("new\n".utf8) })
  }

  @Test func `a dangling link is kept`() throws {
    symlink(directory["unmounted/config.toml"], file.path)
    #expect(refusal(over: nil).contains("link to a missing file"))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file.path).hasSuffix("unmounted/config.toml"))
  }

  @Test func `a concurrent change is not overwritten`() throws {
    try directory.write("editor's\n", to: "config.toml")
    #expect(refusal(over: "old\n").contains("try again"))
    #expect(refusal(over: nil).contains("try again"))
    #expect(try directory.text("config.toml") == "editor's\n")
  }

  @Test func `a file removed meanwhile is not created again`() {
    #expect(refusal(over: "old\n").contains("try again"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// Uses a pipe instead: a bug here would replace a real device of the machine.
  @Test func `a device is not replaced`() throws {
    mkfifo(directory["device"], 0o600)
    symlink(directory["device"], file.path)
    #expect(refusal(over: "").hasPrefix("\(file.path) is not a file"))
  }

  @Test func `a pipe does not block`() throws {
    mkfifo(file.path, 0o600)
    #expect(throws: Message.self) { try file.found() }
    #expect(!refusal(over: nil).isEmpty)
  }

  @Test func `a file larger than any settings is not changed`() throws {
    let text = String(repeating: "#", count: 64 * 1024)
    try directory.write(text, to: "config.toml")
    #expect(try file.found()?.count == text.utf8.count)
    try directory.write(text + "#", to: "config.toml")
    let failure = #expect(throws: Message.self) { try file.found() }
    #expect(failure?.description.contains("is larger than 64 KiB") == true)
    #expect(refusal(over: text).contains("is larger than 64 KiB"))
  }

  @Test func `a folder in place of a file is reported`() throws {
    try directory.makeDirectory("config.toml")
    #expect(refusal(over: nil).contains(file.path))
  }

  @Test(.enabled(if: getuid() != 0))
  func `a read only file is not replaced`() throws {
    try directory.write("old\n", to: "config.toml")
    chmod(file.path, 0o444)
    #expect(refusal(over: "old\n").contains("make it yours"))
    #expect(try directory.text("config.toml") == "old\n")
  }

  @Test func `a file instead of a folder gets advice`() throws {
    try directory.write("", to: "folder")
    let file = SettingsFile(path: directory["folder/config.toml"])
    let failure = #expect(throws: Message.self) { try file.write([], over: nil) }
    #expect(failure?.description.contains("ls -ld") == true)
  }
}
