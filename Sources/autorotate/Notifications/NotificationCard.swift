// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// One notification for org.freedesktop.Notifications.
struct NotificationCard: Equatable {
  struct Button: Equatable {
    /// The key that `ActionInvoked` returns.
    let key: String
    let label: String
  }

  let summary: String
  let body: String
  /// The first is also the action of a click on the notification itself.
  let buttons: [Button]
  /// Appended to the body if the service shows no buttons.
  let textWithoutButtons: String
  /// Milliseconds; -1: the service decides.
  let expiry: Int32

  static let rotateKey = "rotate"
  static let takeOverKey = "take-over"
  /// A click on the notification itself.
  static let defaultKey = "default"

  /// - Parameters:
  ///   - status: the current one, for the text.
  ///   - canTakeOver: whether the desktop's own rotation can be switched off.
  init(_ content: NotificationBoard.Content, _ status: Status?, canTakeOver: Bool = false) {
    switch content {
    case .suggestion(let orientation):
      summary = localized("Rotate the screen (\(orientation.name(on: status?.naturalAspect)))?")
      body = Self.why(status)
      buttons = [Button(key: Self.rotateKey, label: localized("Rotate"))]
      textWithoutButtons = localized("To rotate: autorotate rotate \(orientation.word)")
      expiry = Int32(Suggestion.lifetime.wholeNanoseconds / 1_000_000)
    case .fault(let fault, let text):
      summary = localized(
        fault == .settings ? "The settings of autorotate have an error" : "The screen does not rotate")
      body = text
      let takeOver = Button(key: Self.takeOverKey, label: localized("Use autorotate Instead"))
      buttons = fault == .desktopNotRotating && canTakeOver ? [takeOver] : []
      textWithoutButtons = ""
      expiry = -1
    }
  }

  /// Why the screen does not rotate, when the user asks.
  init(fault: String) {
    summary = localized("The screen does not rotate")
    body = fault
    buttons = []
    textWithoutButtons = localized("For details, run: autorotate doctor")
    expiry = -1
  }

  private static func why(_ status: Status?) -> String {
    guard let status else { return "" }
    if let lock = status.lock {
      return localized("The screen is locked (\(lock.orientation.name(on: status.naturalAspect))).")
    }
    return localized("Auto-rotation is paused (\(status.interface.name(on: status.naturalAspect))).")
  }

  /// The arguments of `Notify`.
  /// - Parameters:
  ///   - replaced: the number of the notification that it replaces; 0 for none.
  ///   - capabilities: of the service.
  func arguments(replacing replaced: UInt32, for capabilities: Set<String>) -> [Value] {
    let hasButtons = !buttons.isEmpty && capabilities.contains("actions")
    let isBrief = expiry >= 0
    let normalUrgency = Value.byte(1)
    return [
      .string("autorotate"), .uint32(replaced), .string(Self.icon), .string(summary),
      .string(text(hasButtons: hasButtons, asMarkup: capabilities.contains("body-markup"))),
      .strings(hasButtons ? actions(capabilities) : []),
      .dictionary([
        "urgency": normalUrgency, "desktop-entry": .string(Self.icon), "transient": .bool(isBrief),
      ]),
      .int32(expiry),
    ]
  }

  /// Alternating keys and labels. A click on the notification itself is for dunst and mako, which show no buttons;
  /// xfce4-notifyd would show a second one for it.
  private func actions(_ capabilities: Set<String>) -> [String] {
    let showsNone = capabilities.contains("x-dunst-stack-tag")
    let click = showsNone ? buttons.prefix(1).map { Button(key: Self.defaultKey, label: $0.label) } : []
    return (click + buttons).flatMap { [$0.key, $0.label] }
  }

  /// The name of the desktop entry, and of the icon.
  private static let icon = "org.autorotate.Autorotate"

  private func text(hasButtons: Bool, asMarkup: Bool) -> String {
    let instead = hasButtons ? "" : textWithoutButtons
    let whole = instead.isEmpty ? body : "\(body) \(instead)"
    return asMarkup ? Markup.escaped(whole) : whole
  }
}
