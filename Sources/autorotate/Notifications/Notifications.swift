// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language
import System

/// What the desktop shows for the daemon: the rotation that a lock prevents, and errors that need the user.
@MainActor final class Notifications {
  private let post: (Event) -> Void
  /// Called when the user chooses that autorotate rotates the screen instead of the desktop.
  var takeOver: () -> Void = {}
  /// Whether autorotate can do that.
  var canTakeOver: () -> Bool = { false }
  let service: NotificationService
  var board = NotificationBoard() { didSet { refresh() } }
  private var content: NotificationBoard.Content?
  private var status: Status?
  private var timer: EventTimer?

  /// - Parameter post: receives the user's choice as an event.
  init(
    loop: EventLoop, service: NotificationService = NotificationService(), post: @escaping (Event) -> Void
  ) throws {
    self.post = post
    self.service = service
    timer = try loop.timer { [weak self] in self?.refresh() }
    service.onAction = { [weak self] in self?.performButton($0) }
    service.onClosed = { [weak self] in self?.noteClosed() }
  }

  func note(_ message: Message, of fault: Fault?) { board.note(message, of: fault, at: now) }

  func publish(_ status: Status) {
    self.status = status
    board.publish(status, at: now)
  }

  /// Leaves nothing on the screen.
  func stop() {
    timer = nil
    service.show(nil)
  }

  private var now: Instant { Instant(nanoseconds: EventLoop.now) }

  private func refresh() {
    let now = now
    timer?.arm(at: board.deadline(after: now)?.nanoseconds)
    let wanted = board.content(at: now)
    guard wanted != content else { return }
    content = wanted
    service.show(wanted.map { NotificationCard($0, status, canTakeOver: canTakeOver()) })
  }

  private func performButton(_ key: String) {
    let isButton = { (button: String) in [button, NotificationCard.defaultKey].contains(key) }
    switch content {
    case .suggestion(let orientation) where isButton(NotificationCard.rotateKey):
      dismiss()
      post(.command(.rotate(.to(orientation), output: nil)))
    case .fault(.desktopNotRotating, _) where canTakeOver() && isButton(NotificationCard.takeOverKey):
      dismiss()
      takeOver()
    case .suggestion, .fault, nil: break
    }
  }

  /// The user has closed it, or it has expired.
  private func noteClosed() {
    if case .suggestion = content { post(.declineSuggestion) }
    dismiss()
  }

  private func dismiss() { if let content { board.dismiss(content) } }
}

extension Configuration {
  /// The first error in the settings files, for a notification; `nil` if there is none.
  var message: Message? {
    guard let first = errors.first else { return nil }
    let place: Phrase = first.place.map { ", line \($0.line)" } ?? ""
    let more: Phrase = errors.count > 1 ? " (\(errors.count - 1) more; see: autorotate check)" : ""
    let advice: Phrase = first.advice.map { ". \($0)" } ?? "."
    return Message(.settingsFaulty, "\(first.path)\(place): \(first.message)\(advice)\(more)")
  }
}

/// Chooses what the desktop should show: nothing, or one notification.
///
/// A suggestion has priority over a fault, and stays as long as Android's. A fault is shown once it has lasted for a
/// while, until it is gone or the user has dismissed it:
///
///     reported ── lasts 5 s ──▶ shown ── dismissed ──▶ removed when the fault is gone
///               └─ gone ▶ reported └── gone ▶ removed
struct NotificationBoard {
  enum Content: Equatable {
    case suggestion(InterfaceOrientation)
    case fault(Fault, String)
  }

  private struct Entry {
    let fault: Fault
    let text: String
    /// When the fault began; `nil` while there is none.
    var since: Instant?
    var isDismissed = false

    var due: Instant? { isDismissed ? nil : since.map { $0 + NotificationBoard.delay } }
  }

  /// Faults that are gone by then (a late sensor, a rotation that succeeds at the second try) are not shown.
  static let delay = Duration.seconds(5)

  var showsFaults = true
  /// The suggested rotation; `nil` for none.
  var suggestion: InterfaceOrientation?
  /// At most one of each fault, the newest last.
  private var entries: [Entry] = []
  private var currentFaults: Set<Fault> = []

  /// Notes a fault that may have to be shown. Messages without a fault are ignored.
  mutating func note(_ message: Message, of fault: Fault?, at now: Instant) {
    guard let fault else { return }
    let text = localized(message)
    guard !entries.contains(where: { $0.fault == fault && $0.text == text }) else { return }
    entries.removeAll { $0.fault == fault }
    entries.append(Entry(fault: fault, text: text, since: currentFaults.contains(fault) ? now : nil))
  }

  mutating func publish(_ status: Status, at now: Instant) {
    var found = Set(status.reasons.compactMap(\.fault))
    let isRotating = status.reasons.contains { if case .rotating = $0 { true } else { false } }
    // Until the next try has ended, the fault is taken to last.
    if isRotating, currentFaults.contains(.lastRotationFailed) { found.insert(.lastRotationFailed) }
    currentFaults = found
    entries.removeAll { entry in
      !found.contains(entry.fault) && (entry.isDismissed || entry.due.map { $0 <= now } ?? false)
    }
    for index in entries.indices {
      let isCurrent = found.contains(entries[index].fault)
      entries[index].since = isCurrent ? entries[index].since ?? now : nil
    }
  }

  mutating func dismiss(_ content: Content) {
    switch content {
    case .suggestion: suggestion = nil
    case .fault(let fault, let text):
      for index in entries.indices where entries[index].fault == fault && entries[index].text == text {
        entries[index].isDismissed = true
      }
    }
  }

  func content(at now: Instant) -> Content? {
    if let suggestion { return .suggestion(suggestion) }
    guard showsFaults else { return nil }
    let due = entries.last { $0.due.map { $0 <= now } ?? false }
    return due.map { .fault($0.fault, $0.text) }
  }

  /// When the content changes without an event.
  func deadline(after now: Instant) -> Instant? {
    let dues = showsFaults ? entries.compactMap(\.due) : []
    return dues.filter { $0 > now }.min()
  }
}
