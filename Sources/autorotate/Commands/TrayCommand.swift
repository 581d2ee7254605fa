// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import System

/// Shows an icon in the desktop's tray, until it is stopped or the session ends.
struct TrayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tray",
    abstract: localized("Show a tray icon with a menu."),
    discussion: localized(
      """
      The icon shows whether auto-rotation is on, locked, paused or not running. Its menu rotates the screen \
      and shows the reasons. Start it at login, in addition to autorotate itself.
      """))

  mutating func run() throws {
    throw try MainActor.assumeIsolated { try Self.showIcon() }
  }

  @MainActor
  private static func showIcon() throws -> ExitStatus {
    let loop = try EventLoop()
    // Programs that the menu starts are not waited for.
    signal(SIGCHLD, SIG_IGN)
    let signals = try [SIGTERM, SIGINT].map { number in
      try loop.onSignal(number) { _ in loop.exit(ExitStatus.done.rawValue) }
    }
    let bus = try FollowCommand.connect(.session, loop)
    var refusal: Message?
    let tray = try Tray(
      bus: bus,
      refuse: {
        refusal = $0
        loop.exit(ExitStatus.failed.rawValue)
      }, quit: { loop.exit(ExitStatus.done.rawValue) })
    bus.onSilent = { Console.log(ControlClient.failure(Bus.Kind.session.silence)) }
    bus.onClosed = { loop.exit(ExitStatus.failed.rawValue) }
    let code = try withExtendedLifetime((signals, tray)) { try loop.run() }
    if let refusal { throw refusal }
    guard code == ExitStatus.done.rawValue else {
      throw Message(.commandFailed, "The session bus has ended, so the icon is removed.")
    }
    return .done
  }
}
