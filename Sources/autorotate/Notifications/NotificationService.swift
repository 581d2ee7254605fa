// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The desktop's notification service, where there is one: holds at most one notification of ours there.
///
/// At most one call is pending, and nothing waits for it. What one service could not be told is told to the next.
@MainActor final class NotificationService {
  static let target = BusTarget(
    service: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
    interface: "org.freedesktop.Notifications")

  /// Called with the key of the button that was chosen.
  var onAction: (String) -> Void = { _ in }
  /// Called when the desktop does not show what it was given.
  var onUndeliverable: (NotificationCard) -> Void = { _ in }
  /// Called when the person, or time, has closed what was shown.
  var onClosed: () -> Void = {}

  /// How long the desktop may take to answer each call from now on.
  var timeout: Duration
  private let complain: (String) -> Void
  private var bus: Bus?
  private var watch: Subscription?
  /// Subscribed only while something is shown, since these signals come for everybody's notifications.
  private var signals: [Subscription] = []

  private var wanted: NotificationCard?
  private var shown: (id: UInt32, card: NotificationCard)?
  private var undeliverable: NotificationCard?
  private var capabilities: Set<String>?
  private var isOwnerKnown = false
  private var isCalling = false
  /// Counts services, so that a late answer of one that has gone is not taken for the next one's.
  private var era = 0
  private var hasComplained = false

  init(timeout: Duration = .seconds(10), complain: @escaping (String) -> Void = Console.complain) {
    self.timeout = timeout
    self.complain = complain
  }

  /// - Parameter bus: the session's, on the loop; `nil` when it has ended.
  func use(_ bus: Bus?) {
    watch = nil
    isOwnerKnown = false
    forgetService()
    self.bus = bus
    advance()
  }

  /// - Parameter card: what is to be seen from now on; `nil` for nothing.
  func show(_ card: NotificationCard?) {
    if card != wanted { undeliverable = nil }
    wanted = card
    advance()
  }

  private func forgetService() {
    era += 1
    isCalling = false
    shown = nil
    signals = []
    capabilities = nil
    undeliverable = nil
  }

  /// One step from what is shown to what is wanted.
  private func advance() {
    guard let bus, !isCalling, wanted != shown?.card, wanted == nil || wanted != undeliverable else { return }
    do throws(BusError) {
      guard let wanted else { return try close(on: bus) }
      if watch == nil { return watch = try watchService(on: bus) }
      guard isOwnerKnown else { return }
      guard let capabilities else { return try askForCapabilities(on: bus) }
      try notify(wanted, capabilities, on: bus)
    } catch {
      // Only a bus that has ended refuses a call; `use` will be told so.
    }
  }

  // MARK: Calls

  private func askForCapabilities(on bus: Bus) throws(BusError) {
    try call("GetCapabilities", on: bus) { [weak self] answer in
      self?.capabilities = Set((try? answer.read(0, as: [String].self)) ?? [])
    }
  }

  private func notify(_ card: NotificationCard, _ capabilities: Set<String>, on bus: Bus) throws(BusError) {
    if signals.isEmpty { signals = try listen(on: bus) }
    let arguments = card.arguments(replacing: shown?.id ?? 0, for: capabilities)
    try call("Notify", arguments, on: bus) { [weak self] answer in
      guard let id = try? answer.read(0, as: UInt32.self) else { return }
      self?.shown = (id, card)
    }
  }

  private func close(on bus: Bus) throws(BusError) {
    guard let id = shown?.id else { return }
    forgetShown()
    // One that has gone by itself a moment ago is an error of no consequence.
    try bus.call(Self.target, "CloseNotification", [.uint32(id)], startsService: false) { _ in }
  }

  private func giveUp(_ card: NotificationCard?) {
    undeliverable = card
    if let card { onUndeliverable(card) }
  }

  private func forgetShown() {
    shown = nil
    signals = []
  }

  private func call(
    _ member: String, _ arguments: [Value] = [], on bus: Bus, _ take: @escaping ([Value]) -> Void
  ) throws(BusError) {
    let asked = (era: era, card: wanted)
    isCalling = true
    try bus.call(Self.target, member, arguments, timeout: timeout) { [weak self] answer in
      guard let self, asked.era == era else { return }
      isCalling = false
      switch answer {
      case .success(let values):
        take(values)
        // Without a number it can neither be replaced nor closed.
        if member == "Notify", shown?.card != asked.card { giveUp(asked.card) }
      case .failure(let error):
        miss(error)
        giveUp(asked.card)
      }
      advance()
    }
  }

  private func miss(_ error: BusError) {
    guard !hasComplained else { return }
    hasComplained = true
    complain(localized("Suggestions and errors are not shown by the desktop: \(Self.reason(error))."))
  }

  private static func reason(_ error: BusError) -> Phrase {
    if error.isAbsence || error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn") {
      return "no notification service runs in this session; start one, such as dunst, mako or xfce4-notifyd"
    }
    return error.isSilence
      ? "the notification service does not answer; restart it"
      : "the notification service says: \(error); restart it, or start another"
  }

  // MARK: Signals

  private func watchService(on bus: Bus) throws(BusError) -> Subscription {
    try bus.watchName(Self.target.service) { [weak self] _ in
      guard let self else { return }
      if isOwnerKnown { forgetService() }
      isOwnerKnown = true
      advance()
    }
  }

  private func listen(on bus: Bus) throws(BusError) -> [Subscription] {
    [
      try bus.match(SignalRule(Self.target, "ActionInvoked")) { [weak self] signal in
        guard let self, let arguments = try? signal.arguments(), isOurs(arguments),
          let key = try? arguments.read(1, as: String.self)
        else { return }
        onAction(key)
      },
      try bus.match(SignalRule(Self.target, "NotificationClosed")) { [weak self] signal in
        guard let self, let arguments = try? signal.arguments(), isOurs(arguments) else { return }
        let isStillWanted = wanted == shown?.card
        forgetShown()
        if isStillWanted { onClosed() }
        advance()
      },
    ]
  }

  private func isOurs(_ arguments: [Value]) -> Bool {
    guard let shown, let id = try? arguments.read(0, as: UInt32.self) else { return false }
    return id == shown.id
  }
}
