// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import System

/// `setup --with-session`: prints or changes whether autorotate starts at login, for the window and for scripts.
enum SessionSwitch: String, CaseIterable, ExpressibleByArgument {
  case on, off
  /// Only prints.
  case tell

  @MainActor
  func perform() throws {
    let start = SessionStart.gather()
    switch (self, start.answer) {
    case (.tell, _): Self.report(start)
    case (.on, .yes), (.off, .no): break
    case (.on, _): try Self.begin(start)
    case (.off, .unknown): throw Self.refusal(start)
    case (.off, .yes): try Self.end()
    }
    guard self != .tell, Console.isTerminal else { return }
    Console.print(
      localized(self == .on ? "autorotate starts at login." : "autorotate no longer starts at login."))
  }

  /// One word for programs; on standard error, the step that the user has to do.
  private static func report(_ start: SessionStart) {
    Console.print(word(for: start))
    if start.obstacle != nil, case .line = start.method { Console.log(localized(start.nextStep)) }
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

  @MainActor
  private static func begin(_ start: SessionStart) throws {
    switch start.method {
    case .unit:
      guard !start.isMaskedForAll else { throw refusal(start) }
      // A unit that was masked need not be enabled.
      if try UnitMask().remove(), case .yes = SessionStart.gather().answer { return }
      try UserManager.run("systemctl --user --quiet enable autorotate")
    case .autostart: try beginAutostart()
    case .line: throw refusal(start)
    }
  }

  /// - Parameter directories: the base directories of all programs' settings.
  static func beginAutostart(_ directories: BaseDirectories = .init()) throws {
    for file in try AutostartFile.ofDaemon(directories) where try file.switchOn() { return }
    let file = try AutostartFile.daemon(directories)
    // One of the user's stays as it is.
    if !file.exists { try file.write(program: program) }
  }

  /// A user may have both a unit and an autostart file.
  @MainActor
  private static func end() throws {
    for _ in SessionStart.Target.allCases {
      guard case .yes(let starter, let path) = SessionStart.gather().answer else { return }
      try end(starter, path)
    }
  }

  @MainActor
  private static func end(_ starter: SessionStart.Starter, _ path: String) throws {
    switch starter {
    case .unit:
      try UserManager.run("systemctl --user --quiet disable autorotate")
      if case .yes(.unit, _) = SessionStart.gather().answer { try UnitMask().write() }
    case .autostart:
      try AutostartFile.daemon().switchOff(program: program)
      if case .yes(.autostart, _) = SessionStart.gather().answer {
        try AutostartFile.hiding().switchOff(program: program)
      }
    case .line:
      throw Message(.commandNotPossible, "\(path) starts autorotate", next: "remove that line")
    }
  }

  private static func refusal(_ start: SessionStart) -> Message {
    Message(.commandNotPossible, start.obstacle ?? "", next: start.nextStep)
  }

  static var program: String { Environment.program ?? "autorotate" }
}

/// Disables for one user the unit that is enabled for all users. Of the links to a unit in all folders the user's takes
/// effect, and a link to /dev/null disables it (systemd.unit(5)). The unit can still be started by hand.
struct UnitMask {
  private let path: String
  /// What `systemctl --user mask` writes, after which the unit cannot be started by hand either.
  private let whole: String

  init() throws(Message) {
    guard let home = BaseDirectories().configHome else { throw .noSettingsDirectory }
    path = "\(home)/systemd/user/graphical-session.target.wants/autorotate.service"
    whole = "\(home)/systemd/user/autorotate.service"
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

  /// - Returns: whether a link existed.
  func remove() throws(Message) -> Bool {
    let links = [path, whole].filter(SessionStart.isNothing)
    for link in links where unlink(link) != 0 {
      throw Message(.commandFailed, "\(link.printable(limit: 1000)): \(String(cString: strerror(errno)))")
    }
    if !links.isEmpty { Self.reload() }
    return !links.isEmpty
  }

  private static func reload() { _ = system("systemctl --user daemon-reload") }
}

/// systemd's user manager, over the session bus.
@MainActor struct UserManager {
  private static let service = "org.freedesktop.systemd1"

  let bus: Bus

  /// - Parameter unit: such as "graphical-session.target".
  func isActive(_ unit: String) -> Bool { property("ActiveState", of: "Unit", unit) == "active" }

  /// `nil` if the service does not run.
  func mainProcess(of unit: String) -> UInt32? {
    property("MainPID", of: "Service", unit).flatMap { $0 == 0 ? nil : $0 }
  }

  private func property<T: ReadableFromBus>(_ name: String, of kind: String, _ unit: String) -> T? {
    let target = BusTarget(
      service: Self.service, path: "/org/freedesktop/systemd1/unit/\(Self.escaped(unit))",
      interface: "org.freedesktop.systemd1.\(kind)")
    return try? bus.property(name, of: target)
  }

  /// The name escaped for an object path, as systemd does.
  private static func escaped(_ name: String) -> String {
    name.replacing("-", with: "_2d").replacing(".", with: "_2e")
  }

  nonisolated static func run(_ command: String) throws(Message) {
    guard system(command) == 0 else {
      throw Message(.commandFailed, "`\(command)` failed", next: "see: systemctl --user status autorotate")
    }
  }
}
