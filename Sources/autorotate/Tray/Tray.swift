// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import System

/// Shows an icon in the desktop's tray, until it is stopped or the session ends.
struct TrayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tray", abstract: localized("Show a tray icon with a menu."),
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
    let signals = try [SIGTERM, SIGINT].map { number in try loop.onSignal(number) { _ in loop.exit() } }
    let bus = try FollowCommand.connect(.session, loop)
    var failure: Message?
    let fail = { (reason: Message) in
      failure = reason
      loop.exit()
    }
    let tray = try Tray(bus: bus, refuse: fail, quit: { loop.exit() })
    bus.onSilent = { Console.log(ControlClient.failure(Bus.Kind.session.silence)) }
    bus.onClosed = {
      fail(failure ?? Message(.commandFailed, "The session bus has ended, so the icon is removed."))
    }
    _ = try withExtendedLifetime((signals, tray)) { try loop.run() }
    if let failure { throw failure }
    return .done
  }
}

/// The icon in the desktop's tray: shows the daemon's status, and sends it the user's commands. It outlives
/// daemons and trays.
@MainActor final class Tray {
  static let watcher = BusTarget(
    service: "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher",
    interface: "org.kde.StatusNotifierWatcher")
  /// One icon in a session is enough.
  static let name = "org.autorotate.Tray"

  private let bus: Bus
  private let dataDirectories: [String]
  private let directories: ConfigurationDirectories
  private let window: InstalledWindow
  private let refuse: (Message) -> Void
  private let quit: () -> Void
  private let log: (String) -> Void
  private var item: TrayItem?
  private var menu: MenuService?
  private var follower: PropertyFollower?
  private var watch: Subscription?
  /// `nil` while no daemon runs.
  private var report: StatusReport?
  /// The rule of the focused application; `nil` if it is none of the choices.
  private var choice: RuleChoice?
  private var hasReportedMissingTray = false

  /// - Parameters:
  ///   - bus: the session's, attached to a loop that will run.
  ///   - refuse: called if there is an icon already, or the bus refuses it.
  ///   - quit: called when the user removes the icon.
  init(
    bus: Bus, dataDirectories: [String] = BaseDirectories().data,
    directories: ConfigurationDirectories = .init(), window: InstalledWindow = InstalledWindow(),
    log: @escaping (String) -> Void = Console.log,
    refuse: @escaping (Message) -> Void, quit: @escaping () -> Void
  ) throws(BusError) {
    self.bus = bus
    self.dataDirectories = dataDirectories
    self.directories = directories
    self.window = window
    self.refuse = refuse
    self.quit = quit
    self.log = log
    try bus.requestName(Self.name) { [weak self] in self?.note($0) }
  }

  private func note(_ answer: Result<NameOwnership, BusError>) {
    do throws(BusError) {
      guard case .owned = try answer.get() else {
        return refuse(Message(.commandFailed, "The icon is already in the tray. Its menu removes it."))
      }
      item = try TrayItem(bus: bus, dataDirectories) { [weak self] in self?.click() }
      menu = try MenuService(bus: bus, entries: entries) { [weak self] in self?.perform($0) }
      follower = try StatusReport.follow(on: bus) { [weak self] in self?.show($0) }
      watch = try bus.watchName(Self.watcher.service) { [weak self] in self?.noteTray($0) }
    } catch {
      refuse(ControlClient.failure(error))
    }
  }

  private func show(_ report: StatusReport?) {
    choice = report.flatMap(choice)
    self.report = report
    item?.show(report)
    menu?.show(entries)
  }

  private var entries: [MenuEntry] {
    TrayMenu.entries(report, choice: choice, hasWindow: window.path != nil)
  }

  /// Reads all rules, so only when the application or the effect has changed.
  private func choice(for report: StatusReport) -> RuleChoice? {
    guard !report.application.isEmpty else { return nil }
    if let old = self.report, old.application == report.application, old.allowed == report.allowed,
      old.reasonCodes == report.reasonCodes
    {
      return choice
    }
    return RuleBook(directories).choice(for: report.application)
  }

  // MARK: The tray

  private func noteTray(_ owner: String?) {
    guard owner == nil else {
      return call(Self.watcher, "RegisterStatusNotifierItem", [.string(Self.name)]) {
        localized("The tray refuses the icon: \($0)")
      }
    }
    guard !hasReportedMissingTray else { return }
    hasReportedMissingTray = true
    log(
      localized(
        "There is no tray; the icon appears when there is one. "
          + "(GNOME needs the extension AppIndicator; other desktops have a tray in the settings of their panel.)"
      ))
  }

  // MARK: Clicks

  private func click() { perform(report == nil ? .startDaemon : .command(.toggleLock)) }

  private func perform(_ request: TrayRequest) {
    switch request {
    case .command(let command): send(command)
    case .choose(let choice, let application): choose(choice, application)
    case .startDaemon:
      call(.driver, "StartServiceByName", [.string(ControlInterface.name), .uint32(0)]) { _ in
        localized(.notRunning)
      }
    case .openSettings: openWindow()
    case .showProblems: openWindow("diagnostics")
    case .quit: quit()
    }
  }

  private func openWindow(_ page: String...) {
    guard let path = window.path else {
      menu?.show(entries)
      return
    }
    do throws(SystemError) {
      try DetachedProgram.start([path] + page)
    } catch {
      log("\(path): \(error.reason)")
    }
  }

  /// The daemon reads the files again; the menu is updated at once, also if nothing rotates.
  private func choose(_ choice: RuleChoice, _ application: String) {
    do throws(Message) {
      try RuleBook(directories).choosing(application, choice)?.perform()
    } catch {
      return log(localized(error))
    }
    guard report?.application == application else { return }
    self.choice = RuleBook(directories).choice(for: application)
    menu?.show(entries)
  }

  private func send(_ command: DaemonCommand) {
    let (method, arguments) = command.call
    do throws(BusError) {
      try bus.callSeparately(
        ControlInterface.target, method, arguments.map(\.value), timeout: ControlClient.timeout
      ) { [log] answer in
        if case .failure(let error) = answer { log(localized(ControlClient.failure(error))) }
      }
    } catch {
      log(localized(ControlClient.failure(error)))
    }
  }

  private func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value], words: @escaping (BusError) -> String
  ) {
    // Only a bus that has ended refuses a call, and that ends this program.
    try? bus.call(target, member, arguments) { [log] answer in
      if case .failure(let error) = answer { log(words(error)) }
    }
  }
}

/// The settings window, autorotate-settings, which is a separate package.
struct InstalledWindow {
  private static let name = "autorotate-settings"
  private let programs: ProgramSearch

  /// - Parameters:
  ///   - environment: looks up a variable.
  ///   - program: the path of this program; the window is searched for in the same directory first.
  init(
    _ environment: (String) -> String? = Environment.variable, besides program: String? = Environment.program
  ) {
    let own = program.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
    programs = ProgramSearch(first: [own].compactMap(\.self), environment)
  }

  /// `nil` if it is not installed. It may be installed at any time.
  var path: String? { programs.path(of: Self.name) }
}
