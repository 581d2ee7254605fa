// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// Keeps touchscreens and pens on the picture of their panel.
final class TouchMapping {
  private let input: XInput
  var settings: DisplaySettings
  /// A sentence for the person.
  private let note: (Message) -> Void
  private(set) var devices: [PanelDevice] = []
  /// What this process wrote last, by device, to notice when somebody else has written since.
  private var written: [PanelDevice: ProjectiveTransform] = [:]

  private var connection: X11Connection { input.connection }

  init(_ input: XInput, settings: DisplaySettings, note: @escaping (Message) -> Void) {
    self.input = input
    self.settings = settings
    self.note = note
  }

  /// Finds the devices anew.
  func findDevices() throws(Message) {
    devices = try input.panelDevices(settings)
    // A device that was away has come back with a matrix of its own.
    written = written.filter { devices.contains($0.key) }
  }

  /// The devices as they are now.
  func read() -> [DeviceMatrix] {
    let requests = devices.map { DeviceMatrixRequest(connection, $0) }
    return requests.compactMap { $0.collect(connection) }
  }

  /// The same devices, mapped to a panel.
  /// - Parameter now: where the panel is, as opposed to where it will be.
  func map(_ found: [DeviceMatrix], to place: PanelPlace, now: PanelPlace) -> [DeviceMatrix] {
    found.map { old in
      let calibration = DeviceCalibration(
        found: old.matrix, kept: old.calibration, written: written[old.device], place: now)
      if calibration.wasChangedByOthers { noteChange(of: old.device, calibration.matrix, old.calibration) }
      return DeviceMatrix(
        device: old.device,
        matrix: TouchMatrix.mapping(to: place, calibration: calibration.matrix),
        calibration: calibration.matrix, wacomRotation: 0)
    }
  }

  /// To be called when these have reached the server.
  func remember(_ matrices: [DeviceMatrix]) {
    for entry in matrices { written[entry.device] = entry.matrix }
  }

  /// Maps all devices to a panel that stays where it is.
  func follow(_ place: PanelPlace) throws(Message) {
    let found = read()
    try connection.checkAnswers()
    let wanted = map(found, to: place, now: place)
    for (old, new) in zip(found, wanted) { new.send(connection, replacing: old) }
    connection.flush()
    remember(wanted)
  }

  private func noteChange(
    of device: PanelDevice, _ calibration: ProjectiveTransform, _ kept: ProjectiveTransform?
  ) {
    let consequence: Phrase =
      calibration == kept
      ? "it is overwritten" : "it is taken for the device's own calibration"
    note(
      Message(
        .touchAstray,
        "another program has set the Coordinate Transformation Matrix of “\(device.name)”: \(consequence); "
          + "to keep autorotate off this device, name it under `ignore` in the [touch] settings"))
  }
}
