// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import System

/// Whether autorotate starts with the session, asked and changed in one step, for the window and for scripts.
enum SessionSwitch: String, CaseIterable, ExpressibleByArgument {
  case on, off
  /// Only tells.
  case tell

  @MainActor
  func perform() throws {
    let start = ProgramFacts.Start.gather(isRunBySystemd: ProgramFacts.Start.isSessionOfSystemd)
    let way = SessionStart(start, desktop: Environment.variable("XDG_CURRENT_DESKTOP") ?? "")
    switch self {
    case .tell: Console.say(Self.told(start, way))
    case .on where start.isSure, .off where !start.isSure: break
    case .on: try Self.begin(way)
    case .off: try Self.end(way)
    }
    if isatty(STDOUT_FILENO) == 1 { sayWhatIsNow() }
  }

  private func sayWhatIsNow() {
    switch self {
    case .on: Console.say(localized("autorotate starts with the session."))
    case .off: Console.say(localized("autorotate does not start with the session any more."))
    case .tell: break
    }
  }

  /// One word, for programs: "by-hand" where a line in the desktop's own settings decides.
  static func told(_ start: ProgramFacts.Start, _ way: SessionStart) -> String {
    if start.isSure { return "on" }
    if case .line = way { return "by-hand" }
    return "off"
  }

  private static func begin(_ way: SessionStart) throws {
    switch way {
    case .unit:
      if try UnitMask().remove() { return }
      try run("systemctl --user --quiet enable autorotate")
    case .autostart:
      if try AutostartFile.hiding().remove() { return }
      try AutostartFile.daemon().write(program: program)
    case .line: throw byHand
    }
  }

  private static func end(_ way: SessionStart) throws {
    switch way {
    case .unit:
      try run("systemctl --user --quiet disable autorotate")
      if ProgramFacts.Start.gather(isRunBySystemd: true).isSure { try UnitMask().write() }
    case .autostart:
      _ = try AutostartFile.daemon().remove()
      let rest = ProgramFacts.Start.gather(isRunBySystemd: false)
      if rest.isSure { try AutostartFile.hiding().write(program: program) }
    case .line: throw byHand
    }
  }

  private static func run(_ command: String) throws(Message) {
    guard system(command) == 0 else {
      throw Message(
        .commandFailed, "`\(command)` has failed", next: "see: systemctl --user status autorotate")
    }
  }

  private static var byHand: Message {
    Message(
      .commandNotPossible, "this desktop starts what its own settings name",
      next: "see which line is needed: autorotate setup")
  }

  /// The path of this program.
  static var program: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "autorotate" }
    defer { free(path) }
    return String(cString: path)
  }
}

/// Takes the unit out of one person's sessions that is enabled for everybody: of the links to it in all folders the
/// person's counts, and one to /dev/null stands for none (systemd.unit(5)). The unit itself can still be started.
private struct UnitMask {
  private let path: String

  init() throws(Message) {
    guard let home = BaseDirectories().configHome else { throw .noPlaceForSettings }
    path = "\(home)/systemd/user/graphical-session.target.wants/autorotate.service"
  }

  func write() throws(Message) {
    do throws(SystemError) {
      try SystemFile.makeDirectories(above: path, mode: 0o755)
      guard symlink("/dev/null", path) == 0 else { throw SystemError(call: "symlink", code: errno) }
    } catch {
      throw Message(.commandFailed, "\(path.printable(limit: 1000)): \(error.reason)")
    }
    Self.reload()
  }

  /// - Returns: whether it was there.
  func remove() throws(Message) -> Bool {
    guard ProgramFacts.Start.isNothing(path) else { return false }
    guard unlink(path) == 0 else {
      throw Message(.commandFailed, "\(path.printable(limit: 1000)): \(String(cString: strerror(errno)))")
    }
    Self.reload()
    return true
  }

  private static func reload() { _ = system("systemctl --user daemon-reload") }
}
