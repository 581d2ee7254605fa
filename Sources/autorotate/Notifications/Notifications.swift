// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import System

/// What the desktop shows for the daemon: the rotation that a lock prevents, and errors that need the user.
@MainActor final class Notifications {
  private let post: (Event) -> Void
  /// Called when the user chooses that autorotate rotates the screen instead of the desktop.
  var takeOver: () -> Void = {}
  /// Whether autorotate can do that.
  var canTakeOver: () -> Bool = { false }
  let service: NotificationService
  var board = NotificationBoard() {
    didSet { refresh() }
  }
  private var content: NotificationBoard.Content?
  private var status: Status?
  private var timer: EventTimer?

  /// - Parameter post: receives the user's choice as an event.
  init(
    loop: EventLoop, service: NotificationService = NotificationService(),
    post: @escaping (Event) -> Void
  ) throws {
    self.post = post
    self.service = service
    timer = try loop.timer { [weak self] in self?.refresh() }
    service.onAction = { [weak self] in self?.performButton($0) }
    service.onClosed = { [weak self] in self?.noteClosed() }
  }

  func note(_ message: Message, of fault: Fault?) {
    board.note(message, of: fault, at: now)
  }

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

  private func dismiss() {
    if let content { board.dismiss(content) }
  }
}

extension Configuration {
  /// The first error in the settings files, for a notification; `nil` if there is none.
  var message: Message? {
    let errors = diagnostics.filter { $0.severity == .error }
    guard let first = errors.first else { return nil }
    let place: Phrase = first.place.map { ", line \($0.line)" } ?? ""
    let more: Phrase = errors.count > 1 ? " (\(errors.count - 1) more; see: autorotate check)" : ""
    let advice: Phrase = first.advice.map { ". \($0)" } ?? "."
    return Message(.settingsFaulty, "\(first.path)\(place): \(first.message)\(advice)\(more)")
  }
}
