// SPDX-License-Identifier: MIT

package import Autorotation

/// The state of an X11 session as plain values. The inspection changes nothing.
nonisolated package struct X11Inspection: Equatable, Sendable {
  /// A touchscreen or pen that has to follow the panel.
  package struct Device: Equatable, Sendable {
    package var name: String
    /// Its Coordinate Transformation Matrix, row by row; `nil` if it has none.
    package var matrix: [Double]?
    /// The correct matrix for the panel's current place, including the device's calibration; `nil` while the panel is off.
    package var expected: [Double]?
    /// The output that it lies on; `nil` if that is not known.
    package var output: String?
    /// Why it follows no panel; `nil` if it does.
    package var complaint: Message?

    package init(
      name: String, matrix: [Double]?, expected: [Double]?, output: String? = nil, complaint: Message? = nil
    ) {
      self.name = name
      self.matrix = matrix
      self.expected = expected
      self.output = output
      self.complaint = complaint
    }

    /// Whether touches land where the user touches.
    package var fits: Bool {
      guard let expected else { return true }
      guard let matrix else { return false }
      // The precision of a 32-bit float.
      return zip(matrix, expected).allSatisfy { abs($0 - $1) < 1e-4 }
    }
  }

  /// For the user: ":0".
  package var display: String
  package var outputs: [Output]
  /// The output that touchscreens and pens lie on.
  package var panel: String?
  package var devices: [Device]
  /// Whether a window manager reports the active window.
  package var reportsFocus: Bool

  package init(
    display: String, outputs: [Output], panel: String?, devices: [Device], reportsFocus: Bool
  ) {
    self.display = display
    self.outputs = outputs
    self.panel = panel
    self.devices = devices
    self.reportsFocus = reportsFocus
  }

  /// In nanoseconds. Long, since nothing else waits, and a server on a busy machine must not be reported as silent.
  private static let timeout: Int64 = 2_000_000_000

  /// - Parameter display: like `DISPLAY`; `nil` for `DISPLAY` itself.
  /// - Throws: `Message`.
  @MainActor
  package static func inspect(display: String? = nil, settings: DisplaySettings = DisplaySettings()) throws
    -> Self
  {
    let connection = try X11Connection.connect(display: display, timeout: timeout)
    do {
      return try inspect(connection, settings)
    } catch let error as Message where error.code == .displaySilent {
      throw Message.silentX(connection.displayName)
    }
  }

  @MainActor
  private static func inspect(_ connection: X11Connection, _ settings: DisplaySettings) throws -> Self {
    guard try X11Extension("XWAYLAND", connection) == nil else {
      throw Message.isXWayland(connection.displayName)
    }
    let randr = try RandR(connection)
    let state = try randr.read()
    let panel = state.panelName(chosen: settings.output)
    let input = try XInput(connection)
    let found = try input?.panelDevices(settings) ?? []
    let described = try input?.describe(found, MappedTouchscreens(panel: "").devices()) ?? [:]
    let placement = state.touchPlacement(settings)
    let inspection = Self(
      display: connection.displayName,
      outputs: state.outputs(notRestored: randr.switchedOff.all, because: nil), panel: panel,
      devices: found.map { device in
        let described = described[device] ?? TouchPlacement.Device(names: [device.name])
        return inspect(device, connection, placement.place(of: described), state)
      },
      reportsFocus: WindowManagerProperties(connection).isValid(connection))
    try connection.checkAnswers()
    return inspection
  }

  @MainActor
  private static func inspect(
    _ device: PanelDevice, _ connection: X11Connection, _ found: TouchPlacement.Place, _ state: RandRState
  ) -> Device {
    let place = found.output.flatMap(state.place)
    let complaint = found.remark(device.name)
    let matrix = DeviceMatrixRequest(connection, device).collect(connection)
    let expected = matrix.flatMap { found in
      place.map { place in
        let calibration = DeviceCalibration(
          found: found.matrix, kept: found.calibration, written: nil, place: place)
        return TouchMatrix.mapping(to: place, calibration: calibration.matrix)
      }
    }
    return Device(
      name: device.name, matrix: matrix?.matrix.elements, expected: expected?.elements, output: found.output,
      complaint: complaint)
  }
}
