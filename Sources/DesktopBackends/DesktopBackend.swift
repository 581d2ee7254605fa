// SPDX-License-Identifier: MIT

package import Autorotation

/// The display system of a session: its outputs, its touchscreens, and who has focus.
///
/// It reports `outputsChanged`, `focusChanged`, `touchBegan` and `touchEnded`, and `desktopTurns` where the
/// desktop has a rotation of its own.
package protocol DesktopBackend: AnyObject {
  /// For a person: "X11".
  var name: String { get }

  /// Starts to report, beginning with `outputsChanged`; never from within this call.
  /// - Parameter gone: called once, with the reason, when the display system has ended.
  func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws

  /// Which touchscreens and pens follow, and who turns the picture, from now on.
  func use(_ settings: DisplaySettings)

  /// Turns outputs, all at a stroke, moves their neighbours so that they stay adjacent, and lets touch and pen follow.
  /// Those that are turned together lie afterwards as panels do that are built into one device.
  /// All of it is done and verified, or nothing is changed. Where a turn fails because its output has gone dark,
  /// that is reported (`outputsChanged`, `displayPowerChanged`) before it is answered: dark is not a fault.
  /// - Parameter turns: of one output at least.
  func apply(_ turns: [PanelTurn], completion: @escaping (Result<Void, Message>) -> Void)

  /// The user rotates to what is shown already: checks touch, and tries again to switch on what a rotation left off.
  func repair()

  /// Another session or a text console has come in front of this one, or this one is in front again.
  func sessionChanged(isActive: Bool)

  /// All names of each application that has a window open; `nil` where they are not at hand without asking.
  var applications: [[String]]? { get }

  /// Whether somebody cares soon that the picture goes dark: the sensor is on.
  func watchForDark(_ isWanted: Bool)

  /// Whether the session is in front and the machine awake: else nobody sees its outputs.
  func sessionChanged(isSeen: Bool)

  /// Lets these devices do nothing until others are named, or none, or this backend stops.
  /// - Returns: whether that can be done here at all.
  func disable(_ devices: DisabledInput?) -> Bool

  /// Asks a desktop that turns the picture by itself whether it leaves the picture as it is on purpose now, such as by
  /// a lock of its own.
  /// - Parameter completion: called once, unless this backend stops before.
  func askWhetherItStays(_ completion: @escaping (Bool) -> Void)

  /// Whether the desktop's own rotation can be switched off, as `take-over` asks for.
  var canTakeOver: Bool { get }

  func stop()
}

extension DesktopBackend {
  package func apply(
    _ transform: DisplayTransform, to output: String,
    completion: @escaping (Result<Void, Message>) -> Void
  ) {
    apply([PanelTurn(output, to: transform)], completion: completion)
  }

  package func repair() {}
  package func sessionChanged(isActive: Bool) {}
  package var applications: [[String]]? { nil }
  package func watchForDark(_ isWanted: Bool) {}
  package func sessionChanged(isSeen: Bool) {}
  package func disable(_ devices: DisabledInput?) -> Bool { false }
  package func askWhetherItStays(_ completion: @escaping (Bool) -> Void) { completion(false) }
  package var canTakeOver: Bool { false }
}
