// SPDX-License-Identifier: MIT

import Autorotation

/// Lets touchscreens and pens follow the panel where a compositor does not do that by itself, by a setting of each.
final class CompositorTouch {
  struct Device {
    var identifier: String
    /// The output that it lies on; `nil` if that is not known.
    var output: String?
    /// What lets it follow the panel; `nil` if it is not to, or does so by itself.
    var request: CompositorMessage?
    /// What takes that back; `nil` if it may stay so.
    var release: CompositorMessage?
    /// What the person is told if that is refused.
    var complaint: (Message) -> Message
    /// Why it is left alone, if it is for want of a place.
    var astray: Message?
  }

  private let dialect: any CompositorDialect
  private let note: (Message) -> Void
  /// Those that follow by our word, by their identifiers.
  private var following: [String: Device] = [:]
  private var complained: Set<String> = []
  private var astray: Set<Message> = []

  init(_ dialect: any CompositorDialect, note: @escaping (Message) -> Void) {
    self.dialect = dialect
    self.note = note
  }

  /// The compositor has read its configuration, and forgotten what it was told before.
  func forget() {
    following = [:]
  }

  /// Tells those that do not follow yet to do so, and lets go what is not to follow any more. What lies on an output
  /// that is dark stays as it is.
  func follow(_ outputs: [CompositorOutput]) {
    let lit = outputs.filter { $0.isActive && !$0.isDark }.map(\.name)
    guard !lit.isEmpty else { return }
    let devices = dialect.touchDevices(among: outputs)
    following = following.filter { name, _ in devices.contains { $0.identifier == name } }
    for device in devices where device.request != following[device.identifier]?.request {
      guard let request = device.request else {
        release(device)
        continue
      }
      if device.output.map(lit.contains) ?? true { ask(request, of: device) }
    }
    complain(devices.compactMap(\.astray))
  }

  /// Says once of each device that it cannot be placed, and anew when it could be meanwhile.
  private func complain(_ astray: [Message]) {
    for message in astray where !self.astray.contains(message) { note(message) }
    self.astray = Set(astray)
  }

  /// Lets all go; not while the picture is turned, which then stays so, and touch would no longer fit it.
  func stop(_ outputs: [CompositorOutput]) {
    let upright = outputs.filter { $0.turn == .none }.map(\.name)
    for device in following.values where device.output.map(upright.contains) ?? false { release(device) }
  }

  private func ask(_ request: CompositorMessage, of device: Device) {
    following[device.identifier] = device
    dialect.run(request) { [weak self] result in
      if case .failure(let reason) = result { self?.complain(device, reason) }
    }
  }

  private func complain(_ device: Device, _ reason: Message) {
    let name = device.identifier
    // Tried again when something about devices or outputs changes.
    if following[name]?.request == device.request { following[name] = nil }
    if complained.insert(name).inserted { note(device.complaint(reason)) }
  }

  private func release(_ device: Device) {
    following[device.identifier] = nil
    if let release = device.release { dialect.run(release) { _ in } }
  }
}
