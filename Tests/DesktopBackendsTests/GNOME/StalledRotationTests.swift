// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import PrivateBus
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// GNOME reports that it rotates the screen, and does not.
@Suite(
  "GNOME 49 without a tablet switch", .serialized,
  .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct StalledRotationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func fixture(lock: String, isManaged: Bool = true, prepare: () throws -> Void = {}) throws
    -> GNOMEFixture
  {
    try directory.write(lock, to: "value")
    try directory.write("#!/bin/sh\ncat \(directory["value"])\n", to: "gsettings")
    chmod(directory["gsettings"], 0o700)
    try prepare()
    return try GNOMEFixture(
      settingsProgram: directory["gsettings"], directory: directory, inputDirectory: directory["input"]
    ) { $0.isManaged = isManaged }
  }

  private func input(switches: String) -> KernelInput {
    var input = KernelInput()
    input.switches = KernelInput.BitSet(words: switches)
    return input
  }

  @Test(arguments: [
    ("48.7", false), ("49.0", true), ("49.4", true), ("50.beta", true), ("51.0", false), ("", false),
    ("x", false),
  ])
  func `some versions are affected`(version: String, isAffected: Bool) {
    let tabletSwitch = input(switches: "2")
    #expect(StalledRotation.occurs(in: version, []) == isAffected)
    #expect(StalledRotation.occurs(in: version, [input(switches: "1")]) == isAffected)
    #expect(!StalledRotation.occurs(in: version, [KernelInput(), tabletSwitch]))
  }

  @Test func `autorotate rotates where GNOME does not`() throws {
    let gnome = try fixture(lock: "false")
    let shell = try FakeShell("49.4", on: gnome.bus)
    try gnome.until("the note") { gnome.notes.contains(StalledRotation.message.description) }
    #expect(gnome.desktopRotates ?? nil == nil)
    withExtendedLifetime(shell) {}
  }

  @Test func `a shell that is busy for long reports its version`() throws {
    let privateBus = try PrivateBus()
    let busy = try Bus(.at(address: privateBus.address))
    let shell = try FakeShell("50.5", over: busy)
    var versions: [String?] = []
    let version = try ShellVersion.watch(on: privateBus.connect()) { versions.append($0) }
    // The request has no time limit.
    try privateBus.deliver()
    try privateBus.loop.settle()
    #expect(versions.isEmpty)
    try busy.attach(to: privateBus.loop)
    let isReported = try privateBus.run(until: { versions == ["50.5"] })
    #expect(isReported, "\(versions)")
    withExtendedLifetime((version, shell)) {}
  }

  @Test func `GNOME's lock is obeyed`() throws {
    let gnome = try fixture(lock: "true")
    let shell = try FakeShell("50.1", on: gnome.bus)
    try gnome.until("the lock") { gnome.desktopRotates == .some(MutterDesktop.lockedRotation) }
    let dconf = try FakeDConf(on: gnome.bus)
    try directory.write("false", to: "value")
    try dconf.emitChange()
    try gnome.until("the unlocking") { gnome.desktopRotates == .some(nil) }
    withExtendedLifetime(shell) {}
  }

  @Test func `rotation is left to GNOME with a tablet switch`() throws {
    try directory.write("2\n", to: "input/event3/device/capabilities/sw")
    try directory.write("Intel HID switches\n", to: "input/event3/device/name")
    try directory.write("0019\n", to: "input/event3/device/id/bustype")
    let gnome = try fixture(lock: "false")
    let shell = try FakeShell("49.4", on: gnome.bus)
    try gnome.until("the reason") { gnome.desktopRotates == .some(MutterDesktop.gnome.rotationAdvice) }
    try gnome.mutter.manage(false)
    try gnome.until("the end of it") { gnome.desktopRotates == .some(nil) }
    #expect(gnome.notes.isEmpty)
    withExtendedLifetime(shell) {}
  }

  @Test func `rotation is left to a newer shell`() throws {
    let gnome = try fixture(lock: "false")
    let shell = try FakeShell("51.0", on: gnome.bus)
    try gnome.until("the reason") { gnome.desktopRotates == .some(MutterDesktop.gnome.rotationAdvice) }
    withExtendedLifetime(shell) {}
  }
}
