// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import System

/// The first run, question by question; and rotation of the login screen, which an administrator enables.
struct Setup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Set up autorotate, or rotation of the login screen."),
    discussion: localized(
      """
      Prints the findings of `autorotate doctor`, then offers what helps on this machine: to calibrate the sensor, to \
      rotate the screen instead of the desktop, to start at login, and to show a tray icon. \
      Nothing is changed unless you answer yes.

      With --greeter, as root: makes LightDM, greetd, SDDM, plasma-login-manager, cosmic-greeter or phrog start \
      `autorotate --greeter` with the login screen, as the login screen's user. GDM rotates its login screen itself; \
      for GDM, only its own rotation is enabled. --remove undoes this.
      """))

  @Flag(name: .long, help: .localized("Rotate the login screen with the device."))
  var greeter = false

  @Flag(name: .long, help: .localized("Undo --greeter."))
  var remove = false

  @Option(
    name: .long,
    help: .localized("The program that shows the login screen, if it is not detected.", valueName: "name"))
  var displayManager: DisplayManager?

  @Option(
    name: .long,
    help: .localized(
      "Do not ask: start at login (on), or not (off); tell prints which applies.", valueName: "what"))
  var withSession: SessionSwitch?

  @Option(name: .long, help: .hidden)
  var root = ""

  func validate() throws {
    guard withSession == nil || !greeter else {
      throw misuse("--with-session and --greeter cannot be combined.")
    }
    guard greeter || !remove && displayManager == nil else {
      throw misuse("--remove and --display-manager require --greeter.")
    }
  }

  mutating func run() throws {
    guard !greeter else { return try setUpGreeter() }
    if let withSession { return try MainActor.assumeIsolated { try withSession.perform() } }
    throw try MainActor.assumeIsolated { try FirstRun.run() }
  }

  private func setUpGreeter() throws {
    guard !remove else { return try removeFromGreeters() }
    guard let manager = displayManager ?? DisplayManager.ofMachine(root: root) else {
      throw Message(
        .commandNotPossible, "no program for the login screen was found on this machine",
        next:
          "name it with --display-manager: \(DisplayManager.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    let setup = setup(of: manager)
    let path = try setup.add()
    applyConfiguration(setup)
    Console.print(
      localized("Wrote \(path). The login screen (\(setup.manager.rawValue)) rotates from its next start."))
  }

  /// From all of them if none is named: the machine may have had another one at setup.
  private func removeFromGreeters() throws {
    let setups =
      displayManager.map { [setup(of: $0)] }
      ?? DisplayManager.allCases.map(setup).filter { !$0.isShared }
    let attempts = setups.map { setup in Result { try remove(setup) } }
    let removed = try attempts.map { try $0.get() }
    if !removed.contains(true) { Console.print(localized("The login screen does not start autorotate.")) }
  }

  /// - Returns: whether there was anything.
  private func remove(_ setup: GreeterSetup) throws -> Bool {
    guard let path = try setup.remove() else { return false }
    applyConfiguration(setup)
    Console.print(localized("Restored \(path). The login screen no longer rotates."))
    return true
  }

  private func setup(of manager: DisplayManager) -> GreeterSetup {
    GreeterSetup(manager: manager, root: root, prefix: Environment.prefix ?? "/usr")
  }

  private func applyConfiguration(_ setup: GreeterSetup) {
    guard let command = setup.manager.update, root.isEmpty, system(command) != 0 else { return }
    Console.log(localized("`\(command)` failed, so the change does not apply yet. Run it again."))
  }
}

extension DisplayManager: ExpressibleByArgument {
  init?(argument: String) { self.init(name: argument) }
}
