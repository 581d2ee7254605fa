// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// Keeps touchscreens and pens each on the picture of its panel. One of which nobody knows where it lies is left alone.
final class TouchMapping {
  private let input: XInput
  var settings: DisplaySettings
  /// A sentence for the person.
  private let note: (Message) -> Void
  private(set) var devices: [PanelDevice] = []
  private var described: [PanelDevice: TouchPlacement.Device] = [:]
  private var complained: Set<Message> = []
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
    described = try input.describe(devices, MappedTouchscreens(panel: "").devices())
    // A device that was away has come back with a matrix of its own.
    written = written.filter { devices.contains($0.key) }
  }

  /// The devices as they are now, on their way.
  struct Reading {
    fileprivate let requests: [DeviceMatrixRequest]
    fileprivate let connection: X11Connection

    /// To be called in any case: xcb keeps for ever what nobody takes.
    func collect() -> [DeviceMatrix] { requests.compactMap { $0.collect(connection) } }
  }

  func ask() -> Reading {
    Reading(requests: devices.map { DeviceMatrixRequest(connection, $0) }, connection: connection)
  }

  /// The same devices, mapped to their panels. Those without a lit one stay as they are.
  /// - Parameter before: where the panels are, as opposed to where they will be.
  func map(_ found: [DeviceMatrix], to after: RandRState, from before: RandRState) -> [DeviceMatrix] {
    let placement = before.touchPlacement(settings)
    return found.map { old in
      guard let output = placement.place(of: described(old.device)).output,
        let now = before.place(of: output),
        let place = after.place(of: output)
      else { return old }
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

  private func described(_ device: PanelDevice) -> TouchPlacement.Device {
    described[device] ?? TouchPlacement.Device(names: [device.name])
  }

  /// Maps all devices to panels that stay where they are.
  func follow(_ state: RandRState) throws(Message) {
    let found = ask().collect()
    try connection.checkAnswers()
    complain(state.touchPlacement(settings))
    let wanted = map(found, to: state, from: state)
    for (old, new) in zip(found, wanted) { new.send(connection, replacing: old) }
    connection.flush()
    remember(wanted)
  }

  /// Says once of each device that it cannot be placed, and anew when it could be meanwhile.
  private func complain(_ placement: TouchPlacement) {
    let complaints = devices.compactMap { placement.place(of: described($0)).complaint($0.name) }
    for complaint in complaints where !complained.contains(complaint) { note(complaint) }
    complained = Set(complaints)
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
