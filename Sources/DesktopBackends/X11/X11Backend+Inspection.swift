// SPDX-License-Identifier: MIT

import Autorotation

extension X11Backend {
  /// In nanoseconds. Long, since nothing else waits, and a server on a busy machine must not be reported as silent.
  private static let timeout: Int64 = 2_000_000_000

  /// Inspects an X11 session without changing anything.
  /// - Parameter display: like `DISPLAY`; `nil` for `DISPLAY` itself.
  /// - Throws: `Message`.
  package static func inspect(
    settings: DisplaySettings = DisplaySettings(), display: String? = nil
  ) throws -> DisplayInspection {
    let connection = try X11Connection.connect(display: display, timeout: timeout)
    let randr = try RandR(connection)
    try randr.readFirst()
    let state = try randr.read()
    let input = try XInput(connection)
    let devices = try input?.panelDevices(settings) ?? []
    let known = MappedTouchscreens().devices()
    let placement = state.touchPlacement(settings)
    let places = devices.map { placement.place(of: $0, known) }
    let line = TouchMapLine(devices.map(\.name), at: places, settings)
    let inspection = DisplayInspection(
      system: "X11, \(connection.displayName)",
      outputs: state.outputs(notRestored: randr.switchedOff.all, because: nil),
      touch: zip(devices, places).map { device, place in
        remark(on: device, at: place, line, connection, state)
      },
      focus: WindowManagerProperties(connection).isValid(connection)
        ? Message(.focusKnown, "the window manager reports the active window") : .noWindowManager)
    try connection.checkAnswers()
    return inspection
  }

  /// Whether touches land where the user touches.
  private static func remark(
    on device: PanelDevice, at place: TouchPlacement.Place, _ line: TouchMapLine,
    _ connection: X11Connection, _ state: RandRState
  ) -> Message {
    let found = connection.requestMatrix(of: device)()
    if let remark = place.remark(device.name, line) { return remark }
    guard let matrix = found?.matrix else {
      return Message(
        .touchMisplaced, "\(device.name) cannot follow the panel: it has no Coordinate Transformation Matrix",
        next: "name it under ignore in the [touch] settings")
    }
    let isCorrect = place.output.flatMap(state.place).map { place in
      let calibration = DeviceCalibration(found: matrix, kept: found?.calibration, written: nil, place: place)
      return matrix.isClose(to: TouchMatrix.mapping(to: place, calibration: calibration.matrix))
    }
    guard isCorrect == false else {
      return Message(.touchFollows, "\(device.name) follows \(place.output ?? "the panel")")
    }
    // Another orientation would rotate the screen.
    let shown = state.outputs.first { $0.name == place.output }?.orientation ?? .normal
    return Message(
      .touchMisplaced,
      "\(device.name) is not mapped to the panel: its Coordinate Transformation Matrix is \(matrix.words)",
      next:
        "start autorotate, which keeps it correct; if it is running, correct it with: autorotate rotate \(shown.word)"
    )
  }

  package var applications: [[String]]? {
    guard let session, session.connection.replies.beginPass() else { return nil }
    return try? session.focus.applications()
  }
}

extension ProjectiveTransform {
  fileprivate var words: String {
    elements.map { number in Int(exactly: number).map { "\($0)" } ?? number.text(decimals: 3) }
      .joined(separator: " ")
  }
}
