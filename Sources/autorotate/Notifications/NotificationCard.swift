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
  /// Also the action of a click on the notification itself.
  private(set) var button: Button?
  /// Appended to the body if the service shows no button.
  private(set) var textWithoutButton = ""
  /// Milliseconds; -1: the service decides.
  private(set) var expiry: Int32 = -1

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
      button = Button(key: Self.rotateKey, label: localized("Rotate"))
      textWithoutButton = localized("To rotate: autorotate rotate \(orientation.word)")
      expiry = Int32(Suggestion.lifetime.wholeNanoseconds / 1_000_000)
    case .fault(let fault, let text):
      summary = localized(
        fault == .settings ? "The settings of autorotate have an error" : "The screen does not rotate")
      body = text
      let takeOver = Button(key: Self.takeOverKey, label: localized("Use autorotate Instead"))
      button = fault == .desktopNotRotating && canTakeOver ? takeOver : nil
    }
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
    let actions = actions(capabilities)
    let isBrief = expiry >= 0
    let normalUrgency = Value.byte(1)
    return [
      .string("autorotate"), .uint32(replaced), .string(Self.icon), .string(summary),
      .string(text(hasButton: !actions.isEmpty, asMarkup: capabilities.contains("body-markup"))),
      .strings(actions),
      .dictionary([
        "urgency": normalUrgency, "desktop-entry": .string(Self.icon), "transient": .bool(isBrief),
      ]),
      .int32(expiry),
    ]
  }

  /// Alternating keys and labels. A click on the notification itself is for dunst and mako, which show no buttons;
  /// xfce4-notifyd would show a second one for it.
  private func actions(_ capabilities: Set<String>) -> [String] {
    guard let button, capabilities.contains("actions") else { return [] }
    let showsNone = capabilities.contains("x-dunst-stack-tag")
    return (showsNone ? [Self.defaultKey, button.label] : []) + [button.key, button.label]
  }

  /// The name of the desktop entry, and of the icon.
  private static let icon = "org.autorotate.Autorotate"

  private func text(hasButton: Bool, asMarkup: Bool) -> String {
    let instead = hasButton ? "" : textWithoutButton
    let whole = instead.isEmpty ? body : "\(body) \(instead)"
    return asMarkup ? Markup.escaped(whole) : whole
  }
}
