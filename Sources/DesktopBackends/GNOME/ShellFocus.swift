// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Which window has focus, as the extension of GNOME Shell in `packaging/gnome-shell` reports it: GNOME itself does
/// not. Without the extension nothing is reported.
final class ShellFocus {
  nonisolated static let target = BusTarget(
    service: "org.autorotate.Focus1", path: "/org/autorotate/Focus1", interface: "org.autorotate.Focus1")
  nonisolated static let uuid = "autorotate@autorotate.org"

  private let bus: Bus
  private let report: (Window?) -> Void
  private var subscriptions: [Subscription] = []
  private var owner: String?
  private var focus: [String: Value] = [:]
  /// Whether the extension has answered, or is absent.
  private var isKnown = false

  /// The connectors of each logical monitor, by its number.
  var monitors: [[String]] = [] { didSet { if monitors != oldValue { publish() } } }
  /// The preferred one of several that mirror each other; `nil` for the first.
  var panel: String? { didSet { if panel != oldValue { publish() } } }

  /// - Parameter report: called from the loop when the window or its properties may have changed.
  init(_ bus: Bus, report: @escaping (Window?) -> Void) throws(BusError) {
    self.bus = bus
    self.report = report
    let changes = SignalRule(
      Self.target.properties, "PropertiesChanged", firstArgument: Self.target.interface)
    subscriptions = [
      try bus.match(changes) { [weak self] in self?.receive($0) },
      try bus.watchName(Self.target.service) { [weak self] in self?.adopt($0) },
    ]
  }

  func stop() {
    subscriptions = []
  }

  private func adopt(_ owner: String?) {
    self.owner = owner
    focus = [:]
    guard owner != nil else { return update([:]) }
    let arguments = [Value.string(Self.target.interface), .string("Focus")]
    // An extension that has just started may be busy for long; its signals are handled meanwhile.
    try? bus.call(
      Self.target.properties, "Get", arguments, timeout: .forever, startsService: false
    ) { [weak self] answer in
      guard let self, self.owner == owner, let focus: [String: Value] = try? answer.get().read(0) else {
        return
      }
      update(focus)
    }
  }

  private func receive(_ signal: BusMessage) {
    guard signal.sender == owner, let changed: [String: Value] = try? signal.arguments().read(1),
      let focus: [String: Value] = try? changed["Focus"]?.read()
    else { return }
    update(focus)
  }

  private func update(_ focus: [String: Value]) {
    self.focus = focus
    isKnown = true
    publish()
  }

  private func publish() {
    guard isKnown else { return }
    report(Window(focus, monitors: monitors, panel: panel))
  }
}

extension Window {
  /// No window has longer names, or more.
  private static let mostIdentifiers = 16
  private static let longestIdentifier = 256

  /// - Parameter values: the window as the extension describes it; empty if none has focus.
  init?(_ values: [String: Value], monitors: [[String]], panel: String?) {
    guard let id: UInt64 = try? values["window"]?.read(),
      let names: [String] = try? values["identifiers"]?.read()
    else { return nil }
    let identifiers = names.filter { !$0.isEmpty && $0.utf8.count <= Self.longestIdentifier }
      .prefix(Self.mostIdentifiers)
    let isAuxiliary: Bool = (try? values["auxiliary"]?.read()) ?? false
    let number: Int32? = try? values["monitor"]?.read()
    let connectors = number.flatMap { monitors.indices.contains(Int($0)) ? monitors[Int($0)] : nil } ?? []
    self.init(
      id: id, role: isAuxiliary ? .auxiliary : .application, identifiers: Array(identifiers),
      isFullscreen: (try? values["fullscreen"]?.read()) ?? false,
      output: connectors.first { $0 == panel } ?? connectors.first)
  }
}
