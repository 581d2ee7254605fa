// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// Maps each touchscreen and pen to its panel. A device whose panel is unknown is left alone.
final class TouchMapping {
  private let input: XInput
  var settings: DisplaySettings
  /// The devices as udev describes them.
  private let touchscreens: MappedTouchscreens
  /// Receives messages for the user.
  private let note: (Message) -> Void
  private(set) var devices: [PanelDevice] = []
  /// The devices that udev knows.
  private var known: [MappedTouchscreens.Device] = []
  private var unplaced: Set<Message> = []
  /// The messages on matrices of other programs that were reported, each once.
  private var reported: Set<Message> = []
  private var corrections = CorrectionLimit<PanelDevice>()
  /// The matrices that this process wrote last, to detect later writes of other programs.
  private var written: [PanelDevice: ProjectiveTransform] = [:]

  private var connection: X11Connection { input.connection }

  init(
    _ input: XInput, settings: DisplaySettings,
    touchscreens: MappedTouchscreens = MappedTouchscreens(), note: @escaping (Message) -> Void
  ) {
    self.input = input
    self.touchscreens = touchscreens
    self.settings = settings
    self.note = note
  }

  /// Reads the list of devices again.
  func findDevices() throws(Message) {
    let all = try input.devices()
    let found = input.panelDevices(among: all, settings)
    try release(Set(devices).subtracting(found).intersection(all.map { PanelDevice($0) }))
    devices = found
    known = touchscreens.devices()
    // A device that is plugged in again has a matrix of its own.
    written = written.filter { devices.contains($0.key) }
    corrections.forget { !devices.contains($0) }
  }

  /// Restores the matrices that devices had without autorotate, since the settings exclude them now. A matrix that
  /// another program has set stays.
  private func release(_ excluded: Set<PanelDevice>) throws(Message) {
    let found = excluded.map { connection.requestMatrix(of: $0) }.compactMap { $0() }
    try connection.checkAnswers()
    for entry in found {
      guard let calibration = entry.calibration else { continue }
      if DeviceCalibration.isPlausible(calibration), written[entry.device]?.isClose(to: entry.matrix) ?? true
      {
        var own = entry
        own.matrix = calibration
        own.send(connection, replacing: entry)
      }
      xcb_input_xi_delete_property(connection.handle, entry.device.id, connection.atoms[.calibration])
    }
  }

  /// Requests the current matrices. All have to be collected: xcb keeps replies until they are received.
  func request() -> [() -> DeviceMatrix?] { devices.map { connection.requestMatrix(of: $0) } }

  /// The devices mapped to their panels for a rotation. Devices without a lit panel stay as they are.
  /// - Parameter before: the state before the rotation.
  func map(_ found: [DeviceMatrix], to after: RandRState, from before: RandRState) -> [DeviceMatrix] {
    corrections.retry()
    return plans(found, to: after, from: before).map { plan in
      if plan.isChangedByOthers { reportChange(plan) }
      return plan.new
    }
  }

  private struct Plan {
    var old: DeviceMatrix
    var new: DeviceMatrix
    /// Whether another program has set the matrix since our last write, unless it has set the right one.
    var isChangedByOthers = false
  }

  private func plans(_ found: [DeviceMatrix], to after: RandRState, from before: RandRState) -> [Plan] {
    let placement = before.touchPlacement(settings)
    return found.map { old in
      guard let output = placement.place(of: old.device, known).output,
        let now = before.place(of: output), let place = after.place(of: output)
      else { return Plan(old: old, new: old) }
      let calibration = DeviceCalibration(
        found: old.matrix, kept: old.calibration, written: written[old.device], place: now)
      let new = DeviceMatrix(
        device: old.device, matrix: TouchMatrix.mapping(to: place, calibration: calibration.matrix),
        calibration: calibration.matrix, wacomRotation: 0)
      let isRight = new.matrix.isClose(to: old.matrix) && new.calibration == old.calibration
      return Plan(old: old, new: new, isChangedByOthers: calibration.wasChangedByOthers && !isRight)
    }
  }

  /// To be called when the server has set these.
  func remember(_ matrices: [DeviceMatrix]) {
    for entry in matrices { written[entry.device] = entry.matrix }
  }

  /// Whether this is the matrix of a mapped device that is not left to another program.
  func isMatrix(_ property: xcb_atom_t, of device: xcb_input_device_id_t) -> Bool {
    guard property == connection.atoms[.coordinateTransformationMatrix] else { return false }
    return devices.contains { $0.id == device && !corrections.isIgnored($0) }
  }

  /// Maps all devices to their panels in the current state.
  /// - Parameter isRequested: whether the user requests it, also for devices that were left to another program.
  func updateMatrices(_ state: RandRState, isRequested: Bool = false, at now: Instant) throws(Message) {
    let found = request().compactMap { $0() }
    try connection.checkAnswers()
    reportUnplaced(state.touchPlacement(settings))
    if isRequested { corrections.retry() }
    let due = plans(found, to: state, from: state).filter { plan in
      !plan.isChangedByOthers || isRequested || mayCorrect(plan, at: now)
    }
    for plan in due { plan.new.send(connection, replacing: plan.old) }
    connection.flush()
    remember(due.map(\.new))
  }

  private func mayCorrect(_ plan: Plan, at now: Instant) -> Bool {
    let isAllowed = corrections.allow(plan.old.device, at: now)
    if isAllowed { reportChange(plan) } else { report(.givenUp(plan.old.device.name)) }
    return isAllowed
  }

  /// Reports each device that cannot be placed once, and again after it could be placed meanwhile.
  private func reportUnplaced(_ placement: TouchPlacement) {
    let places = devices.map { placement.place(of: $0, known) }
    let line = TouchMapLine(devices.map(\.name), at: places, settings)
    let complaints = zip(devices, places).compactMap { $1.complaint($0.name, line) }
    for complaint in complaints where !unplaced.contains(complaint) { note(complaint) }
    unplaced = Set(complaints)
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
    let consequence: Phrase = isOverwritten ? "it is overwritten" : "it is used as the device's calibration"
    return Self(
      .touchMisplaced,
      "another program has set the Coordinate Transformation Matrix of “\(device)”: \(consequence). "
        + "To exclude this device from autorotate, name it under `ignore` in the [touch] settings")
  }

  fileprivate static func givenUp(_ device: String) -> Self {
    Self(
      .touchMisplaced,
      "another program keeps setting the Coordinate Transformation Matrix of “\(device)”: autorotate has corrected "
        + "it three times within a minute, and ignores it until the next rotation",
      next: "stop that program, or name the device under `ignore` in the [touch] settings")
  }
}

/// Limits how often a device setting is corrected that another program keeps changing: at most three times a minute.
/// Then the device is left to the other program until the next rotation, or until the user requests a repair.
struct CorrectionLimit<Device: Hashable> {
  private var corrections: [Device: [Instant]] = [:]
  private var ignored: Set<Device> = []

  /// - Returns: whether to correct a change by another program. If not, the device is ignored from now on.
  mutating func allow(_ device: Device, at now: Instant) -> Bool {
    guard !ignored.contains(device) else { return false }
    let recent = corrections[device, default: []].filter { now < $0 + Duration.seconds(60) }
    let isAllowed = recent.count < 3
    if isAllowed { corrections[device] = recent + [now] } else { ignored.insert(device) }
    return isAllowed
  }

  func isIgnored(_ device: Device) -> Bool { ignored.contains(device) }

  /// Corrects ignored devices again, within the same limit.
  mutating func retry() {
    ignored = []
  }

  /// A removed device starts over when it is plugged in again.
  mutating func forget(where isRemoved: (Device) -> Bool) {
    corrections = corrections.filter { !isRemoved($0.key) }
    ignored = ignored.filter { !isRemoved($0) }
  }
}
