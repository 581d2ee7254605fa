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
    let start = SessionStart.gather()
    switch (self, start.answer) {
    case (.tell, _): Self.tell(start)
    case (.on, .yes), (.off, .no): break
    case (.on, _): try Self.begin(start)
    case (.off, .unknown): throw Self.refusal(start)
    case (.off, .yes): try Self.end()
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

  /// One word for programs; for users, what they have to do themselves.
  private static func tell(_ start: SessionStart) {
    Console.say(word(for: start))
    if start.obstacle != nil, case .line = start.method { Console.complain(localized(start.nextStep)) }
  }

  /// "by-hand" where a line in the desktop's own configuration would start it.
  static func word(for start: SessionStart) -> String {
    switch (start.answer, start.method) {
    case (.yes, _): "on"
    case (.unknown, _): "unknown"
    case (.no, .line): "by-hand"
    case (.no, _): "off"
    }
  }

  private static func begin(_ start: SessionStart) throws {
    switch start.method {
    case .unit:
      if try UnitMask().remove() { return }
      try UserManager.run("systemctl --user --quiet enable autorotate")
    case .autostart:
      if try AutostartFile.hiding().remove() { return }
      try AutostartFile.daemon().write(program: program)
    case .line: throw refusal(start)
    }
  }

  /// One after the other: a user may have both a unit and an autostart file.
  @MainActor
  private static func end() throws {
    for _ in SessionStart.Target.allCases {
      guard case .yes(let starter) = SessionStart.gather().answer else { return }
      try end(starter)
    }
  }

  @MainActor
  private static func end(_ starter: SessionStart.Starter) throws {
    switch starter {
    case .unit:
      try UserManager.run("systemctl --user --quiet disable autorotate")
      if case .yes(by: .unit) = SessionStart.gather().answer { try UnitMask().write() }
    case .autostart:
      _ = try AutostartFile.daemon().remove()
      if case .yes(by: .autostart) = SessionStart.gather().answer {
        try AutostartFile.hiding().write(program: program)
      }
    case .line(let place):
      throw Message(.commandNotPossible, "\(place) starts autorotate", next: "remove this line")
    }
  }

  private static func refusal(_ start: SessionStart) -> Message {
    Message(.commandNotPossible, start.obstacle ?? "", next: start.nextStep)
  }

  /// The path of this program.
  static var program: String { SystemFile.realPath("/proc/self/exe") ?? "autorotate" }
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
    guard SessionStart.isNothing(path) else { return false }
    guard unlink(path) == 0 else {
      throw Message(.commandFailed, "\(path.printable(limit: 1000)): \(String(cString: strerror(errno)))")
    }
    Self.reload()
    return true
  }

  private static func reload() { _ = system("systemctl --user daemon-reload") }
}
