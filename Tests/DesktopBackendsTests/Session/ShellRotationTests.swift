// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import PrivateBus
import System
import Temporary
import Testing

@testable import DesktopBackends

/// Cinnamon and phosh, which have an auto-rotation of their own.
@Suite(
  "shells that rotate the screen", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
final class ShellRotationTests {
  private let directory: TemporaryDirectory
  private let bus: PrivateBus
  private var reports: [Message?] = []
  private var process: String? = "phosh"
  private var hasReadProcess = false

  init() throws {
    directory = try TemporaryDirectory()
    bus = try PrivateBus()
    let script =
      "#!/bin/sh\n[ \"$1 $3\" = \"get orientation-lock\" ] || exit 1\necho >\(directory["read"])\ncat \(directory.path)/$2\n"
    try directory.write(script, to: "gsettings")
    chmod(directory["gsettings"], 0o700)
  }

  private func shell(_ name: String) throws -> RotatingShell {
    try #require(RotatingShell.all.first { $0.name == name })
  }

  private func lock(_ shell: RotatingShell, _ value: String) throws {
    try directory.write(value + "\n", to: shell.schema)
  }

  private func start() throws -> ShellRotation {
    try ShellRotation(
      bus.connect(), loop: bus.loop, program: directory["gsettings"], shells: RotatingShell.all,
      processName: { [unowned self] _ in
        hasReadProcess = true
        return process
      }, report: { [unowned self] in reports.append($0) })
  }

  @Test(arguments: ["Cinnamon", "phosh"])
  func `a shell is reported while its lock is off`(name: String) throws {
    let shell = try shell(name)
    try lock(shell, "false")
    let rotation = try start()
    let owner = try bus.connect()
    _ = try owner.requestName(shell.service)
    #expect(try bus.run { reports == [shell.advice] })
    let dconf = try FakeDConf(on: bus)
    try bus.deliver()
    try lock(shell, "true")
    try dconf.emitChange(of: shell.schema)
    #expect(try bus.run { reports == [shell.advice, nil] })
    try lock(shell, "false")
    try dconf.emitChange(of: shell.schema)
    #expect(try bus.run { reports == [shell.advice, nil, shell.advice] })
    owner.close()
    #expect(try bus.run { reports == [shell.advice, nil, shell.advice, nil] })
    withExtendedLifetime(rotation) {}
  }

  @Test func `after the end of the bus no shell rotates`() throws {
    let shell = try shell("Cinnamon")
    try lock(shell, "false")
    let rotation = try start()
    let owner = try bus.connect()
    _ = try owner.requestName(shell.service)
    #expect(try bus.run { reports == [shell.advice] })
    rotation.stop()
    #expect(reports == [shell.advice, nil])
  }

  @Test func `another owner of phosh's name is not reported`() throws {
    process = "gnome-shell"
    try lock(try shell("phosh"), "false")
    let rotation = try start()
    let owner = try bus.connect()
    _ = try owner.requestName("org.gnome.Mutter.DisplayConfig")
    #expect(try bus.run { hasReadProcess })
    try bus.deliver()
    #expect(access(directory["read"], F_OK) != 0)
    #expect(reports.isEmpty)
    withExtendedLifetime(rotation) {}
  }

  @Test func `an unreadable lock is read again after a change`() throws {
    let shell = try shell("Cinnamon")
    let rotation = try start()
    let owner = try bus.connect()
    _ = try owner.requestName(shell.service)
    #expect(try bus.run { access(directory["read"], F_OK) == 0 })
    let dconf = try FakeDConf(on: bus)
    try lock(shell, "false")
    #expect(
      try bus.run {
        try dconf.emitChange(of: shell.schema)
        return !reports.isEmpty
      })
    #expect(reports == [shell.advice])
    withExtendedLifetime(rotation) {}
  }

  /// For doctor, which does not wait for changes.
  @Test func `the rotating shell is found at once`() throws {
    let shell = try shell("Cinnamon")
    let connection = try bus.connect()
    func rotatingShells() -> [String] {
      RotatingShell.rotating(on: connection, program: directory["gsettings"]).map(\.name)
    }
    #expect(rotatingShells().isEmpty)
    let owner = try bus.connect()
    _ = try owner.requestName(shell.service)
    #expect(rotatingShells().isEmpty)
    try lock(shell, "false")
    #expect(rotatingShells() == ["Cinnamon"])
    try lock(shell, "true")
    #expect(rotatingShells().isEmpty)
  }

  @Test func `an extension that rotates the screen is found in GNOME`() throws {
    let connection = try bus.connect()
    try directory.write("#!/bin/sh\necho \"['a@b', 'screen-rotate@shyzus.github.io']\"\n", to: "extensions")
    chmod(directory["extensions"], 0o700)
    #expect(GNOMEExtensions.rotating(on: connection, program: directory["extensions"]).isEmpty)
    let shell = try bus.connect()
    _ = try shell.requestName("org.gnome.Shell")
    let found = GNOMEExtensions.rotating(on: connection, program: directory["extensions"])
    #expect(found == ["screen-rotate@shyzus.github.io"])
  }
}
