// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import System

/// A first run, question by question; and what an administrator switches on once for the whole machine.
struct Setup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Set up autorotate, or rotation of the login screen."),
    discussion: localized(
      """
      Tells what `autorotate doctor` tells, and then offers what would help here: to calibrate the sensor, to let \
      autorotate turn the picture in the desktop's place, to start it with the session, and an icon in the tray. \
      Nothing is done without a yes.

      With --greeter, as root: has LightDM, greetd or SDDM start `autorotate --greeter` beside the login screen, as \
      the login screen's own user. GDM turns its login screen by itself; there it is made sure that it may. With \
      --remove it is as before.
      """))

  @ParentCommand var whole: Autorotate

  @Flag(name: .long, help: .said("The login screen turns with the device."))
  var greeter = false

  @Flag(name: .long, help: .said("Take that back."))
  var remove = false

  @Option(
    name: .long,
    help: .said("Which program shows the login screen, if it is not found.", valueName: "name"))
  var displayManager: DisplayManager?

  @Option(
    name: .long,
    help: .said("Ask nothing: start with the session, or no longer; or tell in a word.", valueName: "what"))
  var withSession: SessionSwitch?

  @Option(name: .long, help: .hidden)
  var root = ""

  /// The daemon has an option of that name, and the parser gives it to that one.
  private var isForGreeter: Bool { greeter || whole.daemon.greeter }

  /// Not in validate(), where what the daemon's options were given is not known.
  private func check() throws {
    guard withSession == nil || !isForGreeter else { throw misuse("Give one of --with-session, --greeter.") }
    guard isForGreeter || !remove && displayManager == nil else {
      throw misuse("--remove and --display-manager go with --greeter.")
    }
  }

  mutating func run() throws {
    try check()
    guard !isForGreeter else { return try setUpGreeter() }
    if let withSession { return try MainActor.assumeIsolated { try withSession.perform() } }
    let status = try MainActor.assumeIsolated { try FirstRun.run() }
    guard status == .done else { throw status }
  }

  private func setUpGreeter() throws {
    guard !remove else { return try takeBack() }
    guard let manager = displayManager ?? DisplayManager.ofMachine(root: root) else {
      throw Message(
        .commandNotPossible, "no program that shows a login screen is found on this machine",
        next: "name it with --display-manager lightdm, greetd, sddm or gdm")
    }
    let setup = setup(of: manager)
    let path = try setup.add()
    makeKnown(setup)
    Console.say(
      localized(
        "\(path) is written: the login screen turns from its next start on (\(setup.manager.rawValue))."))
  }

  /// Of all of them, if none is named: the machine may have had another one when it was set up.
  private func takeBack() throws {
    let setups = (displayManager.map { [$0] } ?? DisplayManager.allCases).map(setup)
    let attempts = setups.map { setup in Result { try takeBack(setup) } }
    let isSomethingTakenBack = try attempts.map { try $0.get() }.contains(true)
    guard !isSomethingTakenBack else { return }
    Console.say(localized("There is nothing of autorotate in the login screen."))
  }

  /// - Returns: whether there was anything.
  private func takeBack(_ setup: GreeterSetup) throws -> Bool {
    guard let path = try setup.remove() else { return false }
    makeKnown(setup)
    Console.say(localized("\(path) is as it was before: the login screen turns no longer."))
    return true
  }

  private func setup(of manager: DisplayManager) -> GreeterSetup {
    GreeterSetup(manager: manager, root: root, prefix: Self.prefix)
  }

  private func makeKnown(_ setup: GreeterSetup) {
    guard let command = setup.manager.update, root.isEmpty, system(command) != 0 else { return }
    Console.complain(localized("`\(command)` has failed, so that it is not known yet: run it once more"))
  }

  /// Where the program is installed: PREFIX/bin/autorotate.
  private static var prefix: String {
    guard let program = SystemFile.realPath("/proc/self/exe") else { return "/usr" }
    return "/" + program.split(separator: "/").dropLast(2).joined(separator: "/")
  }
}

extension DisplayManager: ExpressibleByArgument {
  init?(argument: String) {
    self.init(name: argument)
  }
}
