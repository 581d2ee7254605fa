// SPDX-License-Identifier: MIT

package import Autorotation

/// The display system of a session: its outputs, its touchscreens, and the focused window.
///
/// It reports `outputsChanged`, `focusChanged`, `touchBegan` and `touchEnded`, and `desktopRotates` where the
/// desktop has a rotation of its own.
package protocol DesktopBackend: AnyObject {
  /// For the user: "X11".
  var name: String { get }

  /// Starts to report, first `outputsChanged`; never from within this call.
  /// - Parameter gone: called once, with the reason, when the display system has ended.
  func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws

  /// Applies new settings, such as which touchscreens and pens follow.
  func use(_ settings: DisplaySettings)

  /// Rotates outputs, all at once, moves their neighbours so that they stay adjacent, and makes touchscreens and pens
  /// follow. Outputs that are rotated together are arranged like panels that are built into one device.
  /// All of it is done and verified, or nothing is changed. If a rotation fails because its output is off, that is
  /// reported (`outputsChanged`, `displayPowerChanged`) before the completion is called: it is not a fault.
  /// - Parameter rotations: at least one.
  func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void)

  /// Called when the user rotates to the current orientation: checks touch, and tries again to switch on outputs that a
  /// rotation left off.
  func repair()

  /// Called when another session or a text console becomes active, or this session does again.
  func sessionChanged(isActive: Bool)

  /// All names of each application with an open window; `nil` where the backend does not have them without a request.
  var applications: [[String]]? { get }

  /// Whether the backend has to notice soon that the screen goes off: the sensor is on.
  func watchForBlanking(_ isWanted: Bool)

  /// Whether windows are reported with their titles, and again when a title changes. Without effect where the display
  /// system reports no titles. Initially off, since some applications change their titles many times a second.
  func watchTitles(_ isWanted: Bool)

  /// Whether the session is active and the machine awake, so that its outputs can be seen.
  func visibilityChanged(isVisible: Bool)

  /// Disables these devices until the next call, or until this backend stops.
  /// - Returns: whether this backend can disable devices at all.
  func disable(_ devices: DisabledInput?) -> Bool

  /// Asks a desktop with an auto-rotation of its own whether it keeps the current orientation on purpose, such as by
  /// its rotation lock.
  /// - Parameter completion: called once, unless this backend stops earlier.
  func askWhetherOrientationIsKept(_ completion: @escaping (Bool) -> Void)

  /// Whether the desktop's own rotation can be switched off, as `take-over` requires.
  var canTakeOver: Bool { get }

  /// Called last, when the loop will not run again: undoes what would outlast this process.
  func stop()
}

extension DesktopBackend {
  package func repair() {}
  package func sessionChanged(isActive: Bool) {}
  package var applications: [[String]]? { nil }
  package func watchForBlanking(_ isWanted: Bool) {}
  package func watchTitles(_ isWanted: Bool) {}
  package func visibilityChanged(isVisible: Bool) {}
  package func disable(_ devices: DisabledInput?) -> Bool { false }
  package func askWhetherOrientationIsKept(_ completion: @escaping (Bool) -> Void) { completion(false) }
  package var canTakeOver: Bool { false }
  package func stop() {}
}

/// The user's settings for displays: which output is rotated, and which touchscreens and pens follow it.
nonisolated package struct DisplaySettings: Equatable, Sendable {
  /// The outputs to rotate.
  package var output: OutputChoice
  /// The only devices that follow it, by name (on X11 as in `xinput list --name-only`), case-insensitive; `*` and `?`
  /// match any text and any character. Empty for all touchscreens and pens.
  package var touchDevices: [String]
  /// The outputs of devices for which they are unknown or detected wrongly.
  package var touchMap: [TouchAssignment]
  /// Devices to leave alone.
  package var ignoredDevices: [String]

  /// Whether to switch off the desktop's own rotation instead of yielding to it.
  package var takesOver: Bool

  package init(
    output: OutputChoice = OutputChoice(), touchDevices: [String] = [], ignoredDevices: [String] = [],
    touchMap: [TouchAssignment] = [], takesOver: Bool = false
  ) {
    self.output = output
    self.touchDevices = touchDevices
    self.ignoredDevices = ignoredDevices
    self.touchMap = touchMap
    self.takesOver = takesOver
  }

  /// - Parameters:
  ///   - names: all names of the device, of which one has to match.
  ///   - onPanel: whether the device is of a kind that lies on a panel.
  package func includes(_ names: [String], onPanel: Bool) -> Bool {
    let isNamed = { (patterns: [String]) in
      patterns.contains { pattern in names.contains { ApplicationRule.pattern(pattern, matches: $0) } }
    }
    guard !isNamed(ignoredDevices) else { return false }
    return touchDevices.isEmpty ? onPanel : isNamed(touchDevices)
  }
}

/// Doctor's view of a display system, as plain values. The inspection changes nothing.
nonisolated package struct DisplayInspection: Equatable, Sendable {
  /// For the user: "sway 1.7 on wayland-1".
  package var system: Phrase
  package var outputs: [Output]
  /// How touchscreens and pens follow the screen, a message for each device where the devices are known. Here and
  /// below: with a next step if something is wrong.
  package var touch: [Message]
  /// How the backend knows which application has focus.
  package var focus: Message
  /// The state of the desktop's own auto-rotation; `nil` if it has none.
  package var ownRotation: Message?
}
