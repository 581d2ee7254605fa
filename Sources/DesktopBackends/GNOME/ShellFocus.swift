// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Which window has focus and whether a finger is on the screen, as the extension of GNOME Shell in
/// `packaging/gnome-shell` reports them: GNOME itself does not. Without the extension nothing is reported.
final class ShellFocus {
  nonisolated static let target = BusTarget(
    service: "org.autorotate.Focus1", path: "/org/autorotate/Focus1", interface: "org.autorotate.Focus1")
  nonisolated static let uuid = "autorotate@autorotate.org"
  /// GNOME Shell's lock screen.
  nonisolated static let shield = BusTarget(
    service: "org.gnome.Shell.ScreenShield", path: "/org/gnome/ScreenSaver",
    interface: "org.gnome.ScreenSaver")
  /// Nanoseconds. GNOME reports that the screen is locked 0.3 s after it has disabled the extensions.
  private static let lockingTime: Int64 = 1_000_000_000

  private let bus: Bus
  private let report: (Event) -> Void
  private var subscriptions: [Subscription] = []
  private var owner: String?
  /// Runs after the extension has ended.
  private var timer: EventTimer?
  /// `nil` until the extension has answered, or is known to be absent.
  private var focus: [String: Value]?
  private var isTouched = false {
    didSet { if isTouched != oldValue { report(isTouched ? .touchBegan : .touchEnded) } }
  }

  /// The connectors of each logical monitor, by its number.
  var monitors: [[String]] = [] { didSet { if monitors != oldValue { publish() } } }
  /// The preferred one of several that mirror each other; `nil` for the first.
  var panel: String? { didSet { if panel != oldValue { publish() } } }

  /// - Parameter report: called from the loop when the window or its properties may have changed, when the first finger
  ///   touches the screen, and when the last one is lifted.
  init(_ bus: Bus, loop: EventLoop, report: @escaping (Event) -> Void) throws(BusError) {
    self.bus = bus
    self.report = report
    timer = try? loop.timer { [weak self] in self?.forgetUnlessLocked() }
    subscriptions = [
      try bus.matchChanges(of: Self.target) { [weak self] changed, _ in self?.apply(changed) },
      try bus.watchName(Self.target.service) { [weak self] in self?.adopt($0) },
    ]
  }

  private func adopt(_ owner: String?) {
    self.owner = owner
    isTouched = false
    timer?.arm(at: nil)
    guard owner != nil else {
      guard let timer, focus?.isEmpty == false else { return update([:]) }
      return timer.arm(at: EventLoop.now + Self.lockingTime)
    }
    // An extension that has just started may be busy for long; its signals are handled meanwhile.
    bus.ask(
      Self.target.properties, "GetAll", [.string(Self.target.interface)], timeout: .forever
    ) { [weak self] answer in
      if let self, self.owner == owner, let values: [String: Value] = try? answer.get().read(0) {
        apply(values)
      }
    }
  }

  /// GNOME disables the extensions while the screen is locked; after that, the same window has focus again.
  private func forgetUnlessLocked() {
    bus.ask(Self.shield, "GetActive") { [weak self] answer in
      let isLocked: Bool? = try? answer.get().read(0)
      guard let self, owner == nil, isLocked != true else { return }
      update([:])
    }
  }

  /// Older extensions lack `Touched`.
  private func apply(_ values: [String: Value]) {
    if let focus: [String: Value] = try? values["Focus"]?.read() { update(focus) }
    if let isTouched: Bool = try? values["Touched"]?.read() { self.isTouched = isTouched }
  }

  private func update(_ focus: [String: Value]) {
    self.focus = focus
    publish()
  }

  private func publish() {
    guard let focus else { return }
    report(.focusChanged(Window(focus, monitors: monitors, panel: panel)))
  }
}

extension Window {
  /// No window has longer names, or more.
  private static let maximumIdentifiers = 16
  private static let maximumIdentifierLength = 256

  /// - Parameter values: the window as the extension describes it; empty if none has focus.
  init?(_ values: [String: Value], monitors: [[String]], panel: String?) {
    guard let id: UInt64 = try? values["window"]?.read(),
      let names: [String] = try? values["identifiers"]?.read()
    else { return nil }
    let identifiers = names.filter { !$0.isEmpty && $0.utf8.count <= Self.maximumIdentifierLength }
      .prefix(Self.maximumIdentifiers)
    let isAuxiliary: Bool = (try? values["auxiliary"]?.read()) ?? false
    let number: Int32? = try? values["monitor"]?.read()
    let connectors = number.flatMap { monitors.indices.contains(Int($0)) ? monitors[Int($0)] : nil } ?? []
    self.init(
      id: id, role: isAuxiliary ? .auxiliary : .application, identifiers: Array(identifiers),
      isFullscreen: (try? values["fullscreen"]?.read()) ?? false,
      output: connectors.first { $0 == panel } ?? connectors.first)
  }
}
