// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import PrivateBus
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// Whether GNOME or autorotate rotates the screen.
@Suite("GNOME's own rotation", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct OwnRotationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var valueFile: String { directory["value"] }
  private var stateFile: String { directory["gnome-orientation-lock"] }
  private var isRecorded: Bool { access(stateFile, F_OK) == 0 }
  private var value: String { read(valueFile) }

  /// A gsettings that stores one value in a file.
  private func program(value: String = "false", set: String = "echo \"$4\" > DIR/value") throws -> String {
    let path = try directory.writeSettingsProgram(
      of: "org.gnome.settings-daemon.peripherals.touchscreen orientation-lock", set: set)
    if !value.isEmpty { try directory.write(value, to: "value") }
    return path
  }

  private func read(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(String(decoding: bytes.prefix(count), as: UTF8.self).prefix { !$0.isWhitespace })
  }

  private func fixture(
    takesOver: Bool = true, program: String, isManaged: Bool = true
  ) throws -> GNOMEFixture {
    try GNOMEFixture(
      settings: DisplaySettings(takesOver: takesOver), settingsProgram: program, directory: directory
    ) { $0.isManaged = isManaged }
  }

  @Test func `rotation is left to GNOME where it rotates`() throws {
    let gnome = try fixture(takesOver: false, program: program())
    try gnome.until("the reason") { gnome.desktopRotates == .some(MutterDesktop.gnome.rotationAdvice) }
    try gnome.mutter.manage(false)
    try gnome.until("the end of it") { gnome.desktopRotates == .some(nil) }
    try gnome.mutter.manage(true)
    try gnome.until("the reason again") { gnome.desktopRotates == .some(MutterDesktop.gnome.rotationAdvice) }
    #expect(value == "false")
  }

  /// GNOME manages the panel also while its lock is on, but then rotates nothing.
  @Test func `GNOME's lock is the reason that nothing rotates`() throws {
    let gnome = try fixture(takesOver: false, program: program(value: "true"))
    try gnome.until("the lock") { gnome.desktopRotates == .some(MutterDesktop.lockedRotation) }
    let dconf = try FakeDConf(on: gnome.bus)
    try directory.write("false", to: "value")
    try dconf.emitChange()
    try gnome.until("the rotation") { gnome.desktopRotates == .some(MutterDesktop.gnome.rotationAdvice) }
    gnome.backend.use(DisplaySettings(takesOver: true))
    try gnome.until("the take-over") { gnome.desktopRotates == .some(nil) }
  }

  @Test(arguments: [("false", false), ("true", true), ("", true)])
  func `the state of GNOME's lock is read on request`(_ value: String, _ stays: Bool) throws {
    let gnome = try fixture(takesOver: false, program: program(value: value))
    let reason = value == "true" ? MutterDesktop.lockedRotation : MutterDesktop.gnome.rotationAdvice
    try gnome.until("the reason") { gnome.desktopRotates == .some(reason) }
    var answer: Bool?
    gnome.backend.askWhetherOrientationIsKept { answer = $0 }
    try gnome.until("the answer") { answer != nil }
    #expect(answer == stays)
  }

  @Test func `nothing is reported where GNOME does not rotate`() throws {
    let gnome = try fixture(program: program(), isManaged: false)
    try gnome.awaitOutputs()
    try gnome.bus.deliver()
    #expect(gnome.desktopRotates == nil)
    #expect(value == "false")
  }

  @Test func `taking over disables GNOME's rotation until stop`() throws {
    let gnome = try fixture(program: program())
    try gnome.until("the take-over") { gnome.desktopRotates == .some(nil) }
    #expect(value == "true")
    #expect(isRecorded)
    gnome.backend.stop()
    #expect(value == "false")
    #expect(!isRecorded)
  }

  @Test func `take over follows the settings`() throws {
    let gnome = try fixture(takesOver: false, program: program())
    try gnome.until("the reason") { gnome.desktopRotates == .some(MutterDesktop.gnome.rotationAdvice) }
    gnome.backend.use(DisplaySettings(takesOver: true))
    try gnome.until("the take-over") { gnome.desktopRotates == .some(nil) }
    #expect(value == "true")
    gnome.backend.use(DisplaySettings(takesOver: false))
    #expect(gnome.desktopRotates == .some(MutterDesktop.gnome.rotationAdvice))
    try gnome.until("its end") { !isRecorded }
    #expect(value == "false")
  }

  @Test func `a lock of the user stays on`() throws {
    let gnome = try fixture(program: program(value: "true"))
    try gnome.until("the take-over") { gnome.desktopRotates == .some(nil) }
    #expect(!isRecorded)
    gnome.backend.stop()
    #expect(value == "true")
  }

  @Test func `a lock that the user switches off stays off`() throws {
    let gnome = try fixture(program: program())
    try gnome.until("the take-over") { gnome.desktopRotates == .some(nil) }
    let dconf = try FakeDConf(on: gnome.bus)
    try directory.write("false", to: "value")
    try dconf.emitChange()
    try gnome.until("the return to GNOME") {
      (gnome.desktopRotates ?? nil)?.description.contains("was switched off") == true
    }
    #expect(!isRecorded, "there is nothing to restore")
    try gnome.mutter.manage(false)
    try gnome.mutter.manage(true)
    try gnome.until("no second take-over") {
      gnome.events.count { $0 == .desktopRotates(nil) } == 2 && (gnome.desktopRotates ?? nil) != nil
    }
    #expect(value == "false")
    try directory.write("true", to: "value")
    try dconf.emitChange()
    try gnome.until("the take-over again") { gnome.desktopRotates == .some(nil) }
    gnome.backend.stop()
    #expect(value == "true", "it is the user's lock now")
  }

  /// Each reading runs a program.
  @Test func `many changes of the settings cause two readings`() throws {
    let path = try program()
    let reading = "get) echo >> DIR/readings; until [ -e DIR/go ]; do sleep 0.01; done;"
    let script = try directory.text("gsettings").replacing(
      "get)", with: reading.replacing("DIR", with: directory.path))
    try directory.write(script, to: "gsettings")
    chmod(path, 0o700)
    try directory.write("", to: "go")
    let gnome = try fixture(program: path)
    try gnome.until("the take-over") { gnome.desktopRotates == .some(nil) }
    let before = try directory.text("readings").count
    let dconf = try FakeDConf(on: gnome.bus)
    unlink(directory["go"])
    for _ in 0..<20 { try dconf.emitChange() }
    try gnome.bus.deliver()
    // It is read after those that wait by now.
    var answer: Bool?
    gnome.backend.askWhetherOrientationIsKept { answer = $0 }
    try directory.write("", to: "go")
    try gnome.until("the answer") { answer != nil }
    #expect(try directory.text("readings").count <= before + 3)
  }

  @Test(arguments: [true, false])
  func `the lock is restored after a crash`(takesOver: Bool) throws {
    let path = try program(value: "true")
    try directory.write("", to: "gnome-orientation-lock")
    let gnome = try fixture(takesOver: takesOver, program: path)
    if takesOver {
      try gnome.until("the take-over") { gnome.desktopRotates == .some(nil) }
      #expect(value == "true")
      gnome.backend.stop()
    } else {
      try gnome.until("the restoration") { !isRecorded }
    }
    #expect(value == "false")
    #expect(!isRecorded)
  }

  @Test func `the lock is restored after a crash in laptop mode`() throws {
    let path = try program(value: "true")
    try directory.write("", to: "gnome-orientation-lock")
    let gnome = try fixture(takesOver: true, program: path, isManaged: false)
    try gnome.until("the restoration") { !isRecorded }
    #expect(value == "false")
  }

  @Test func `GNOME keeps rotating without gsettings`() throws {
    let gnome = try fixture(program: directory["none"])
    try gnome.until("the reason") { gnome.notes.count == 1 }
    #expect(gnome.notes[0].contains("is not installed"))
    #expect((gnome.desktopRotates ?? nil)?.description.contains("could not be switched off") == true)
    gnome.backend.stop()
  }

  @Test func `the output of a failed program is quoted`() throws {
    let gnome = try fixture(program: program(set: "echo 'No such schema' >&2; exit 1"))
    try gnome.until("the reason") { gnome.notes.count == 1 }
    #expect(gnome.notes[0].contains("No such schema"))
  }

  @Test func `an invalid value changes nothing`() throws {
    let gnome = try fixture(program: program(value: "maybe"))
    try gnome.until("the reason") { gnome.notes.count == 1 }
    #expect(gnome.notes[0].contains("gsettings answers “maybe”"))
    #expect(value == "maybe" && !isRecorded)
  }

  @Test func `a program that hangs does not block the end`() throws {
    let gnome = try fixture(program: program(set: "echo $$ >DIR/process; exec sleep infinity"))
    try gnome.until("its start") { isRecorded }
    let watchdog = Watchdog { [file = directory["process"]] in
      if let process = SystemFile.line(of: file).flatMap({ pid_t($0) }) { kill(process, SIGKILL) }
    }
    gnome.backend.stop()
    #expect(!watchdog.hasActed, "it was waited for")
    #expect(isRecorded, "the next start tries again")
  }
}
