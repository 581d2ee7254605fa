// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// One notification, as org.freedesktop.Notifications takes it.
struct NotificationCard: Equatable {
  struct Button: Equatable {
    /// What comes back when it is chosen.
    let key: String
    let label: String
  }

  let summary: String
  let body: String
  let button: Button?
  /// Stands in the body where the service knows no buttons.
  let insteadOfButton: String
  /// Milliseconds; -1 leaves it to the service.
  let expiry: Int32

  static let rotateKey = "rotate"
  /// A click on the notification itself.
  static let defaultKey = "default"

  /// - Parameter status: of now, for the words.
  init(_ content: NotificationBoard.Content, _ status: Status?) {
    switch content {
    case .suggestion(let orientation):
      summary = localized("Rotate the picture to \(orientation.word)?")
      body = Self.why(status)
      button = Button(key: Self.rotateKey, label: localized("Rotate"))
      insteadOfButton = localized("To do so: autorotate --rotate \(orientation.word)")
      expiry = Int32(NotificationBoard.suggestionTime.wholeNanoseconds / 1_000_000)
    case .fault(let fault, let text):
      summary = localized(
        fault == .settings ? "There is an error in the settings of autorotate" : "The picture does not turn")
      body = text
      button = nil
      insteadOfButton = ""
      expiry = -1
    }
  }

  private static func why(_ status: Status?) -> String {
    guard let status else { return "" }
    if let lock = status.lock { return localized("It is locked to \(lock.orientation.word).") }
    return localized("Auto-rotation is on hold at \(status.interface.word).")
  }

  /// The arguments of `Notify`.
  /// - Parameters:
  ///   - replaced: the number of the notification whose place it takes; 0 for none.
  ///   - capabilities: of the service.
  func arguments(replacing replaced: UInt32, for capabilities: Set<String>) -> [Value] {
    let hasButton = button != nil && capabilities.contains("actions")
    let isBrief = expiry >= 0
    let normalUrgency = Value.byte(1)
    return [
      .string("autorotate"), .uint32(replaced), .string(Self.icon), .string(summary),
      .string(text(hasButton: hasButton, asMarkup: capabilities.contains("body-markup"))),
      .strings(hasButton ? actions(capabilities) : []),
      .dictionary([
        "urgency": normalUrgency, "desktop-entry": .string(Self.icon), "transient": .bool(isBrief),
      ]),
      .int32(expiry),
    ]
  }

  /// Keys and labels in turn. A click on the notification itself is for dunst and mako, which show no buttons;
  /// xfce4-notifyd would show a second one for it.
  private func actions(_ capabilities: Set<String>) -> [String] {
    guard let button else { return [] }
    let hasNoButtons = capabilities.contains("x-dunst-stack-tag")
    return (hasNoButtons ? [Self.defaultKey, button.label] : []) + [button.key, button.label]
  }

  /// The name of the desktop entry, and of the icon.
  private static let icon = "org.autorotate.Autorotate"

  private func text(hasButton: Bool, asMarkup: Bool) -> String {
    let whole = hasButton || insteadOfButton.isEmpty ? body : "\(body) \(insteadOfButton)"
    return asMarkup ? Markup.escaped(whole) : whole
  }
}
