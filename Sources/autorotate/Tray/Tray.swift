// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language
import System

/// The icon in the desktop's tray: shows what the daemon tells, and tells it what is clicked. It outlives
/// daemons and trays alike.
@MainActor final class Tray {
  static let watcher = BusTarget(
    service: "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher",
    interface: "org.kde.StatusNotifierWatcher")
  /// One icon in a session is enough.
  static let name = "org.autorotate.Tray"

  private let bus: Bus
  private let icons: InstalledIcons
  private let directories: ConfigurationDirectories
  private let window: InstalledWindow
  private let refuse: (Message) -> Void
  private let quit: () -> Void
  private let complain: (String) -> Void
  private var item: TrayItem?
  private var menu: MenuService?
  private var follower: StatusFollower?
  private var watch: Subscription?
  private var notifier: NotificationService?
  private var facts: TrayFacts?
  private var hasMissedTray = false

  /// - Parameters:
  ///   - bus: the session's, attached to a loop that will run.
  ///   - refuse: called if there is an icon already, or the bus does not take it.
  ///   - quit: called when the person wants the icon to go.
  init(
    bus: Bus, icons: InstalledIcons = InstalledIcons(), directories: ConfigurationDirectories = .init(),
    window: InstalledWindow = InstalledWindow(),
    complain: @escaping (String) -> Void = Console.complain,
    refuse: @escaping (Message) -> Void, quit: @escaping () -> Void
  ) throws(BusError) {
    self.bus = bus
    self.icons = icons
    self.directories = directories
    self.window = window
    self.refuse = refuse
    self.quit = quit
    self.complain = complain
    try bus.requestName(Self.name) { [weak self] in self?.note($0) }
  }

  private func note(_ answer: Result<NameOwnership, BusError>) {
    do throws(BusError) {
      guard case .owned = try answer.get() else {
        return refuse(Message(.commandFailed, "The icon is in the tray already; its menu removes it."))
      }
      try begin()
    } catch {
      refuse(ControlClient.failure(error))
    }
  }

  private func begin() throws(BusError) {
    item = try TrayItem(bus: bus, isInstalled: icons.has) { [weak self] in self?.click() }
    menu = try MenuService(bus: bus, entries: entries) { [weak self] in self?.perform($0) }
    follower = try StatusFollower(bus: bus) { [weak self] in self?.show($0) }
    watch = try bus.watchName(Self.watcher.service) { [weak self] in self?.noteTray($0) }
  }

  private func show(_ report: StatusReport?) {
    facts = report.map { TrayFacts(report: $0, choice: choice(for: $0)) }
    item?.show(report)
    menu?.show(entries)
  }

  private var entries: [MenuEntry] { TrayMenu.entries(facts, hasWindow: window.path != nil) }

  /// All rules are read for it, so only when there is another application, or another effect.
  private func choice(for report: StatusReport) -> RuleChoice? {
    guard !report.application.isEmpty else { return nil }
    if let facts, facts.report.application == report.application, facts.report.allowed == report.allowed,
      facts.report.reasonCodes == report.reasonCodes
    {
      return facts.choice
    }
    return RuleBook(directories).choice(for: report.application)
  }

  // MARK: The tray

  private func noteTray(_ owner: String?) {
    guard owner != nil else { return missTray() }
    call(Self.watcher, "RegisterStatusNotifierItem", [.string(Self.name)]) {
      localized("The tray does not take the icon: \($0)")
    }
  }

  private func missTray() {
    guard !hasMissedTray else { return }
    hasMissedTray = true
    complain(
      localized(
        "There is no tray now; the icon comes when there is one. "
          + "(GNOME has one with the extension AppIndicator, other desktops in their panel's settings.)"))
  }

  // MARK: Clicks

  private func click() {
    perform(facts == nil ? .startDaemon : .command(.toggleLock))
  }

  private func perform(_ request: TrayRequest) {
    switch request {
    case .command(let command): send(command)
    case .choose(let choice, let application): choose(choice, application)
    case .startDaemon:
      call(.driver, "StartServiceByName", [.string(ControlInterface.name), .uint32(0)]) { _ in
        localized(.notRunning)
      }
    case .openSettings: openWindow()
    case .tellWhatIsWrong: tellWhatIsWrong()
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
      complain("\(path): \(error.reason)")
    }
  }

  /// The window tells it with the next steps; where there is none, a notification does.
  private func tellWhatIsWrong() {
    guard window.path == nil else { return openWindow("checkup") }
    guard let fault = facts?.faults.first else { return }
    let notifier = notifier ?? NotificationService(complain: complain)
    self.notifier = notifier
    notifier.use(bus)
    notifier.onClosed = { [weak notifier] in notifier?.show(nil) }
    notifier.onUndeliverable = { [complain] in complain($0.body) }
    notifier.show(NotificationCard(fault: fault))
  }

  /// The daemon follows the files; the menu follows at once, also where nothing turns for it.
  private func choose(_ choice: RuleChoice, _ application: String) {
    do throws(Message) {
      try RuleBook(directories).choosing(application, choice)?.perform()
    } catch {
      return complain(localized(error))
    }
    guard facts?.report.application == application else { return }
    facts?.choice = RuleBook(directories).choice(for: application)
    menu?.show(entries)
  }

  private func send(_ command: DaemonCommand) {
    let (method, arguments) = command.call
    do throws(BusError) {
      try bus.callSeparately(
        ControlInterface.target, method, arguments.map(\.value), timeout: ControlClient.timeout
      ) { [complain] answer in
        if case .failure(let error) = answer { complain(localized(ControlClient.failure(error))) }
      }
    } catch {
      complain(localized(ControlClient.failure(error)))
    }
  }

  private func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value], words: @escaping (BusError) -> String
  ) {
    // Only a bus that has ended refuses a call, and that ends this program.
    try? bus.call(target, member, arguments, startsService: false) { [complain] answer in
      if case .failure(let error) = answer { complain(words(error)) }
    }
  }
}
