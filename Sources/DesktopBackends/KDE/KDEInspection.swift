// SPDX-License-Identifier: MIT

import Autorotation
import System

/// What doctor shows of a Plasma session on Wayland.
extension KDEBackend {
  /// Changes nothing. Waits at most some 2 s for KWin, and 1 s for the bus.
  static func inspect(
    settings: DisplaySettings, display: String? = nil, bus kind: Bus.Kind = .session
  ) throws -> DisplayInspection {
    let connection = try WaylandConnection(display: display)
    let outputs = try KWinOutputs(connection)
    let states = outputs.states
    let panel = states.panel(chosen: settings.output)
    let bus = try? Bus(kind)
    defer { bus?.close() }
    return DisplayInspection(
      system: "KWin on \(connection.name)", outputs: states.map(\.output),
      touch: touchRemarks(bus, states.map(\.output), settings), focus: focusRemark(bus),
      ownRotation: policy(of: panel, outputs, bus).map { remark($0, takesOver: settings.takesOver) })
  }

  private static func touchRemarks(
    _ bus: Bus?, _ outputs: [Output], _ settings: DisplaySettings
  ) -> [Message] {
    let devices = bus.map(KWinTouchDevice.all) ?? []
    guard !devices.isEmpty else {
      return [Message(.touchFollows, "KWin rotates touchscreens and pens with the screen")]
    }
    let placement = TouchPlacement(outputs: outputs, settings: settings)
    let known = MappedTouchscreens().devices()
    return devices.map { device in
      placement.remark(
        on: known.first { $0.node == "/dev/input/\(device.node)" }, named: device.name, stored: device.output,
        by: "KWin", command: device.command)
    }
  }

  private static let timeout = Duration.milliseconds(500)

  private static func focusRemark(_ bus: Bus?) -> Message {
    let known: Phrase = "by a script that KWin runs"
    guard let bus else {
      return Message(
        .focusUnknown, "unknown: there is no session bus, over which KWin accepts scripts",
        next: "start autorotate from within the desktop session, or set DBUS_SESSION_BUS_ADDRESS")
    }
    do throws(BusError) {
      let answer = try bus.callAndWait(
        KWinFocus.scripting, "isScriptLoaded", [.string(KWinScript.name)], timeout: timeout)
      let isLoaded = try answer.read(0, as: Bool.self)
      return Message(.focusKnown, isLoaded ? "\(known), which is loaded" : "\(known) while autorotate runs")
    } catch {
      return Message(
        .focusUnknown, "unknown: KWin accepts no scripts on the session bus (\(error))",
        next: "check that DBUS_SESSION_BUS_ADDRESS is the one of the desktop session")
    }
  }

  private static func policy(
    of panel: KWinOutputState?, _ outputs: KWinOutputs, _ bus: Bus?
  ) -> KWinRotationPolicy? {
    guard let panel else { return nil }
    if outputs.canSetPolicy { return panel.canAutoRotate ? panel.policy : nil }
    guard panel.isBuiltIn, let bus, answers("isAutoRotateAvailable", bus) == true else { return nil }
    return answers("getAutoRotate", bus).map { $0 ? .inTabletMode : .never }
  }

  private static func answers(_ question: String, _ bus: Bus) -> Bool? {
    let answer = try? bus.callAndWait(KScreenRotation.target, question, timeout: timeout)
    return try? answer?.read(0, as: Bool.self)
  }

  private static func remark(_ policy: KWinRotationPolicy, takesOver: Bool) -> Message {
    guard let message = policy.message else {
      return Message(.desktopYields, "KWin's own rotation is switched off")
    }
    if takesOver {
      return Message(.desktopYields, "KWin rotates the screen until autorotate starts (take-over = true)")
    }
    return message
  }
}
