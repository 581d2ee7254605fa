// SPDX-License-Identifier: MIT

import Autorotation

/// Rotates touchscreens and pens with the panel where a compositor does not, by a setting of each device.
final class CompositorTouch {
  struct Device {
    var identifier: String
    /// For the user.
    var name: String
    /// Where it lies; `nil` if it should not follow an output, or something else makes it follow.
    var place: TouchPlacement.Place?
    /// The request that makes it follow the panel; `nil` if it should not, or the compositor does so.
    var request: CompositorMessage?
    /// The request that undoes this; `nil` if it may stay.
    var release: CompositorMessage?
    /// The next step for the user if that is refused.
    var next: Phrase
    /// Doctor's finding for one that follows its output; `nil` for one that should not.
    var follows: Message?

    var output: String? { place?.output }
  }

  private let dialect: any CompositorDialect
  private let note: (Message) -> Void
  /// The devices that follow at autorotate's request, by identifier.
  private var following: [String: Device] = [:]
  private var complained: Set<String> = []
  private var unplaced: Set<Message> = []

  init(_ dialect: any CompositorDialect, _ context: CompositorContext) {
    self.dialect = dialect
    note = context.note
  }

  /// The compositor has reloaded its configuration, which drops earlier requests.
  func forget() {
    following = [:]
  }

  /// Sends requests for devices that do not follow yet, and releases those that should no longer follow. Devices on
  /// an output that is off stay as they are.
  func follow(_ outputs: [CompositorOutput]) {
    let lit = outputs.filter { $0.isActive && !$0.isOff }.map(\.name)
    guard !lit.isEmpty else { return }
    let devices = dialect.touchDevices(among: outputs)
    following = following.filter { name, _ in devices.contains { $0.identifier == name } }
    for device in devices where device.request != following[device.identifier]?.request {
      guard let request = device.request else {
        release(device)
        continue
      }
      if device.output.map(lit.contains) ?? true { send(request, of: device) }
    }
    // Noted once for each device that cannot be placed, and again if it could be meanwhile.
    let line = devices.mapLine(dialect.settings)
    let messages = devices.compactMap { $0.place?.complaint($0.name, line) }
    for message in messages where !unplaced.contains(message) { note(message) }
    unplaced = Set(messages)
  }

  /// Releases all devices on unrotated outputs. A rotated screen stays rotated, and needs its touch mapping.
  func stop(_ outputs: [CompositorOutput]) {
    let upright = outputs.filter { $0.rotation == .none }.map(\.name)
    for device in following.values where device.output.map(upright.contains) ?? false { release(device) }
  }

  private func send(_ request: CompositorMessage, of device: Device) {
    following[device.identifier] = device
    dialect.send(request) { [weak self] in self?.complain(device, $0) }
  }

  private func complain(_ device: Device, _ reason: Message) {
    let name = device.identifier
    // Retried when devices or outputs change.
    if following[name]?.request == device.request { following[name] = nil }
    guard complained.insert(name).inserted else { return }
    let what: Phrase = "\(dialect.profile.name) may not rotate “\(device.name)” with the screen (\(reason))"
    note(Message(.touchMisplaced, what, next: device.next))
  }

  private func release(_ device: Device) {
    following[device.identifier] = nil
    if let release = device.release { dialect.send(release) }
  }
}

extension [CompositorTouch.Device] {
  func mapLine(_ settings: DisplaySettings) -> TouchMapLine {
    TouchMapLine(map(\.name), at: map(\.place), settings)
  }
}
