// SPDX-License-Identifier: MIT

import Autorotation

/// Disables keyboards and pointing devices on request, by libinput's `send_events`, and restores their old value
/// afterwards.
final class SwayDisabledInput {
  private let connection: SwayConnection
  private let note: (Message) -> Void
  /// Where the kernel tells of its devices.
  private let kernelDirectory: String
  /// `nil` for none.
  var wanted: DisabledInput?
  private var kept: KeptSendEvents
  /// Counts what was sent: the answer to a question from before the last of it may be outdated.
  private(set) var sent = 0
  private var complained: Set<String> = []

  init(
    _ connection: SwayConnection, kept: KeptSendEvents = KeptSendEvents(),
    kernelDirectory: String = KernelInput.usualDirectory, note: @escaping (Message) -> Void
  ) {
    self.connection = connection
    self.kept = kept
    self.kernelDirectory = kernelDirectory
    self.note = note
  }

  /// - Parameter inputs: as sway tells them, asked after the last of what was sent.
  func settle(_ inputs: [SwayInput]) {
    let taken = taken(of: inputs)
    for input in taken where input.sendEvents != Self.disabled { disable(input) }
    let identifiers = Set(taken.map(\.identifier))
    for identifier in kept.identifiers where !identifiers.contains(identifier) {
      // Without a device there is still sway's own list of what such a one gets when it comes.
      let now = inputs.first { $0.identifier == identifier }?.sendEvents
      if now == nil || now == Self.disabled { restore(identifier) } else { kept.forget(identifier) }
    }
  }

  /// Restores all.
  func stop() {
    wanted = nil
    kept.identifiers.forEach(restore)
  }

  private static let disabled = "disabled"

  private func taken(of inputs: [SwayInput]) -> [SwayInput] {
    guard let wanted else { return [] }
    let known = KernelInput.all(in: kernelDirectory)
    return inputs.filter { input in
      let kernelDevices = known.filter { $0.swayIdentifier == input.identifier }
      // Those that an on-screen keyboard makes are not libinput's.
      return input.sendEvents != nil && input.isKeyboardOrPointer
        && wanted.includes([input.name, input.identifier], kernelDevices)
    }
  }

  private func disable(_ input: SwayInput) {
    guard let before = input.sendEvents else { return }
    kept.keep(before, for: input.identifier)
    send(Self.disabled, to: input.identifier) { [weak self] reason in
      self?.kept.forget(input.identifier)
      self?.complain(input, reason)
    }
  }

  private func restore(_ identifier: String) {
    guard let before = kept[identifier] else { return }
    send(before, to: identifier) { _ in }
    // What sway does not take now, as it has no such device any more, it will not take later.
    kept.forget(identifier)
  }

  private func send(
    _ word: String, to identifier: String, failed: @escaping (Message) -> Void
  ) {
    sent += 1
    connection.run("input \"\(identifier)\" events \(word)") { result in
      if case .failure(let reason) = result { failed(reason) }
    }
  }

  private func complain(_ input: SwayInput, _ reason: Message) {
    guard complained.insert(input.identifier).inserted else { return }
    note(
      Message(
        .inputNotDisabled, "sway does not disable “\(input.name)” in tablet posture (\(reason))",
        next: "try `swaymsg input \(input.identifier) events disabled`"))
  }
}

extension KernelInput {
  /// How sway names such a device.
  nonisolated var swayIdentifier: String {
    let printable = name.unicodeScalars.map { scalar -> Character in
      scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7f ? Character(scalar) : "_"
    }
    return "\(vendor):\(product):\(String(printable))"
  }
}
