// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// Keeps touchscreens and pens each on the picture of its panel. One of which nobody knows where it lies is left alone.
final class TouchMapping {
  private let input: XInput
  var settings: DisplaySettings
  /// What the device manager knows of them.
  private let touchscreens: MappedTouchscreens
  /// A sentence for the person.
  private let note: (Message) -> Void
  private(set) var devices: [PanelDevice] = []
  private var described: [PanelDevice: TouchPlacement.Device] = [:]
  private var complained: Set<Message> = []
  /// What was reported once, of matrices that others have set.
  private var reported: Set<Message> = []
  private var corrections = CorrectionLimit<PanelDevice>()
  /// What this process wrote last, by device, to notice when somebody else has written since.
  private var written: [PanelDevice: ProjectiveTransform] = [:]

  private var connection: X11Connection { input.connection }

  init(
    _ input: XInput, settings: DisplaySettings,
    touchscreens: MappedTouchscreens = MappedTouchscreens(panel: ""), note: @escaping (Message) -> Void
  ) {
    self.input = input
    self.touchscreens = touchscreens
    self.settings = settings
    self.note = note
  }

  /// Reads the list of devices again.
  func findDevices() throws(Message) {
    devices = try input.panelDevices(settings)
    described = try input.describe(devices, touchscreens.devices())
    // A device that was away has come back with a matrix of its own.
    written = written.filter { devices.contains($0.key) }
    corrections.forget { !devices.contains($0) }
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

  /// The same devices, mapped to their panels for a rotation. Those without a lit one stay as they are.
  /// - Parameter before: where the panels are, as opposed to where they will be.
  func map(_ found: [DeviceMatrix], to after: RandRState, from before: RandRState) -> [DeviceMatrix] {
    corrections.retry()
    return plans(found, to: after, from: before).map { plan in
      if plan.isChangedByOthers { reportChange(plan) }
      return plan.new
    }
  }

  /// What one device has and is to get.
  private struct Plan {
    var old: DeviceMatrix
    var new: DeviceMatrix
    /// Whether another program has set the matrix since we did.
    var isChangedByOthers = false
  }

  private func plans(_ found: [DeviceMatrix], to after: RandRState, from before: RandRState) -> [Plan] {
    let placement = before.touchPlacement(settings)
    return found.map { old in
      guard let output = placement.place(of: described(old.device)).output,
        let now = before.place(of: output),
        let place = after.place(of: output)
      else { return Plan(old: old, new: old) }
      let calibration = DeviceCalibration(
        found: old.matrix, kept: old.calibration, written: written[old.device], place: now)
      let new = DeviceMatrix(
        device: old.device,
        matrix: TouchMatrix.mapping(to: place, calibration: calibration.matrix),
        calibration: calibration.matrix, wacomRotation: 0)
      return Plan(old: old, new: new, isChangedByOthers: calibration.wasChangedByOthers)
    }
  }

  /// To be called when these have reached the server.
  func remember(_ matrices: [DeviceMatrix]) {
    for entry in matrices { written[entry.device] = entry.matrix }
  }

  private func described(_ device: PanelDevice) -> TouchPlacement.Device {
    described[device] ?? TouchPlacement.Device(names: [device.name])
  }

  /// Whether a property of this device decides where its touches land, and is not left to another program.
  func isMatrix(_ property: xcb_atom_t, of device: xcb_input_device_id_t) -> Bool {
    guard property == connection.atoms[.coordinateTransformationMatrix] else { return false }
    return devices.contains { $0.id == device && !corrections.isLeft($0) }
  }

  /// Maps all devices to panels that stay where they are.
  /// - Parameter isAsked: whether the user asks for it, also for devices that were left to another program.
  func follow(_ state: RandRState, isAsked: Bool = false, at now: Instant) throws(Message) {
    let found = ask().collect()
    try connection.checkAnswers()
    complain(state.touchPlacement(settings))
    if isAsked { corrections.retry() }
    let due = plans(found, to: state, from: state).filter { plan in
      !plan.isChangedByOthers || isAsked || mayCorrect(plan, at: now)
    }
    for plan in due { plan.new.send(connection, replacing: plan.old) }
    connection.flush()
    remember(due.map(\.new))
  }

  private func mayCorrect(_ plan: Plan, at now: Instant) -> Bool {
    switch corrections.verdict(on: plan.old.device, at: now) {
    case .correct:
      reportChange(plan)
      return true
    case .giveUp:
      report(.givenUp(plan.old.device.name))
      return false
    case .leave: return false
    }
  }

  /// Says once of each device that it cannot be placed, and anew when it could be meanwhile.
  private func complain(_ placement: TouchPlacement) {
    let complaints = devices.compactMap { placement.place(of: described($0)).complaint($0.name) }
    for complaint in complaints where !complained.contains(complaint) { note(complaint) }
    complained = Set(complaints)
  }

  private func reportChange(_ plan: Plan) {
    let isOverwritten = plan.new.calibration == plan.old.calibration
    report(.changedByOthers(plan.old.device.name, isOverwritten: isOverwritten))
  }

  private func report(_ message: Message) {
    if reported.insert(message).inserted { note(message) }
  }
}

extension Message {
  fileprivate static func changedByOthers(_ device: String, isOverwritten: Bool) -> Self {
    let consequence: Phrase =
      isOverwritten ? "it is overwritten" : "it is taken for the device's own calibration"
    return Self(
      .touchAstray,
      "another program has set the Coordinate Transformation Matrix of “\(device)”: \(consequence); "
        + "to keep autorotate off this device, name it under `ignore` in the [touch] settings")
  }

  fileprivate static func givenUp(_ device: String) -> Self {
    Self(
      .touchAstray,
      "another program keeps setting the Coordinate Transformation Matrix of “\(device)”: autorotate has corrected "
        + "it three times within a minute, and leaves it until the next rotation",
      next: "end that program, or name the device under `ignore` in the [touch] settings")
  }
}
