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
  /// The first is what a click on the notification itself means.
  let buttons: [Button]
  /// Appended to the body where the service shows no buttons.
  let insteadOfButtons: String
  /// Milliseconds; -1 leaves it to the service.
  let expiry: Int32

  static let rotateKey = "rotate"
  static let takeOverKey = "take-over"
  /// A click on the notification itself.
  static let defaultKey = "default"

  /// - Parameters:
  ///   - status: of now, for the words.
  ///   - canTakeOver: whether the desktop's own rotation can be switched off.
  init(_ content: NotificationBoard.Content, _ status: Status?, canTakeOver: Bool = false) {
    switch content {
    case .suggestion(let orientation):
      summary = localized("Rotate the picture to \(orientation.word)?")
      body = Self.why(status)
      buttons = [Button(key: Self.rotateKey, label: localized("Rotate"))]
      insteadOfButtons = localized("To do so: autorotate --rotate \(orientation.word)")
      expiry = Int32(Suggestion.patience.wholeNanoseconds / 1_000_000)
    case .fault(let fault, let text):
      summary = localized(
        fault == .settings ? "There is an error in the settings of autorotate" : "The picture does not turn")
      body = text
      let takeOver = Button(key: Self.takeOverKey, label: localized("Let autorotate turn it"))
      buttons = fault == .desktopIdle && canTakeOver ? [takeOver] : []
      insteadOfButtons = ""
      expiry = -1
    }
  }

  /// What keeps the picture from turning, for who asks.
  init(fault: String) {
    summary = localized("The picture does not turn")
    body = fault
    buttons = []
    insteadOfButtons = localized("More is told by: autorotate doctor")
    expiry = -1
  }

  private static func why(_ status: Status?) -> String {
    guard let status else { return "" }
    if let lock = status.lock { return localized("It is locked to \(lock.orientation.word).") }
    return localized("Auto-rotation is paused at \(status.interface.word).")
  }

  /// The arguments of `Notify`.
  /// - Parameters:
  ///   - replaced: the number of the notification whose place it takes; 0 for none.
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

  /// Keys and labels in turn. A click on the notification itself is for dunst and mako, which show no buttons;
  /// xfce4-notifyd would show a second one for it.
  private func actions(_ capabilities: Set<String>) -> [String] {
    let showsNone = capabilities.contains("x-dunst-stack-tag")
    let click = showsNone ? buttons.prefix(1).map { Button(key: Self.defaultKey, label: $0.label) } : []
    return (click + buttons).flatMap { [$0.key, $0.label] }
  }

  /// The name of the desktop entry, and of the icon.
  private static let icon = "org.autorotate.Autorotate"

  private func text(hasButtons: Bool, asMarkup: Bool) -> String {
    let instead = hasButtons ? "" : insteadOfButtons
    let whole = instead.isEmpty ? body : "\(body) \(instead)"
    return asMarkup ? Markup.escaped(whole) : whole
  }
}
