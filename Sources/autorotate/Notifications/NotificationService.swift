// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// A client of the desktop's notification service. It shows at most one notification of ours.
///
/// At most one call is pending, and nothing waits for it. A notification that one service could not show is sent to the
/// next.
@MainActor final class NotificationService {
  static let target = BusTarget(
    service: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
    interface: "org.freedesktop.Notifications")

  /// Called with the key of the button that was chosen.
  var onAction: (String) -> Void = { _ in }
  /// Called when the user has closed the notification, or it has expired.
  var onClosed: () -> Void = {}

  /// How long the desktop may take to answer each call from now on.
  var timeout: Duration
  private let log: (String) -> Void
  private var bus: Bus?
  private var watch: Subscription?
  /// Subscribed only while something is shown, since these signals are sent for all programs' notifications.
  private var signals: [Subscription] = []

  private var wanted: NotificationCard?
  private var shown: (id: UInt32, card: NotificationCard)?
  private var undeliverable: NotificationCard?
  private var capabilities: Set<String>?
  private var isOwnerKnown = false
  private var isCalling = false
  /// Counts services, so that a late answer of one that has gone is not attributed to the next.
  private var generation = 0
  private var hasReported = false

  init(timeout: Duration = .seconds(10), log: @escaping (String) -> Void = Console.log) {
    self.timeout = timeout
    self.log = log
  }

  /// - Parameter bus: the session's, on the loop; `nil` when it has ended.
  func use(_ bus: Bus?) {
    watch = nil
    isOwnerKnown = false
    forgetService()
    self.bus = bus
    advance()
  }

  /// - Parameter card: the notification to show from now on; `nil` for none.
  func show(_ card: NotificationCard?) {
    if card != wanted { undeliverable = nil }
    wanted = card
    advance()
  }

  private func forgetService() {
    generation += 1
    isCalling = false
    undeliverable = nil
    forgetAnswers()
  }

  private func forgetAnswers() {
    capabilities = nil
    forgetShown()
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
      // Only a bus that has ended refuses a call; `use(nil)` follows.
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
    // An error means that it has just expired, which is harmless.
    try bus.call(Self.target, "CloseNotification", [.uint32(id)]) { _ in }
  }

  private func forgetShown() {
    shown = nil
    signals = []
  }

  private func call(
    _ member: String, _ arguments: [Value] = [], on bus: Bus, _ receive: @escaping ([Value]) -> Void
  ) throws(BusError) {
    let asked = (generation: generation, card: wanted)
    isCalling = true
    try bus.call(Self.target, member, arguments, timeout: timeout, startsService: true) {
      [weak self] answer in
      guard let self, asked.generation == generation else { return }
      isCalling = false
      switch answer {
      case .success(let values):
        receive(values)
        // Without a number it can neither be replaced nor closed.
        if member == "Notify", shown?.card != asked.card { undeliverable = asked.card }
      case .failure(let error):
        reportOnce(error)
        undeliverable = asked.card
      }
      advance()
    }
  }

  private func reportOnce(_ error: BusError) {
    guard !hasReported else { return }
    hasReported = true
    log(localized("The desktop does not show suggestions and errors: \(Self.reason(error))."))
  }

  private static func reason(_ error: BusError) -> Phrase {
    if error.isServiceMissing || error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn") {
      return "no notification service runs in this session. Start one, such as dunst, mako or xfce4-notifyd"
    }
    return error.isReplyTimeout
      ? "the notification service does not answer. Restart it"
      : "the notification service reports: \(error). Restart it, or start another one"
  }

  // MARK: Signals

  private func watchService(on bus: Bus) throws(BusError) -> Subscription {
    try bus.watchName(Self.target.service) { [weak self] owner in
      guard let self else { return }
      // The call then fails. Another one would start the service again, which may end again.
      guard owner != nil || !isCalling else { return forgetAnswers() }
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
