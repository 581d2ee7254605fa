// SPDX-License-Identifier: MIT

import Autorotation
import System

/// A keyboard or pointing device that its display system can switch off and on.
struct SwitchableInput: Equatable {
  /// Its address in the display system.
  var identifier: String
  /// All names that the settings may use; the first is the most readable.
  var names: [String]
  /// Its state in the display system's terms, such as "enabled"; `nil` if that is not reported.
  var state: String?
  /// The kernel devices that it may stand for; empty if they are unknown.
  var kernelDevices: [KernelInput] = []
}

/// Disables keyboards and pointing devices on request, and later restores their former state, also after a crash.
final class InputDisabling {
  /// The states of a display system, and how to set them.
  struct Commands {
    var disabled: String
    /// All other states, the usual one first.
    var others: [String]
    /// Whether only connected devices can be set; otherwise the display system stores states by name.
    var setsOnlyConnected = false
    /// Sets the state of a device; calls `ended` with the failure if that fails, with `displaySilent` if it may be set
    /// all the same.
    var set: (_ state: String, _ identifier: String, _ ended: @escaping (Message?) -> Void) -> Void
    /// The desktop's name in messages.
    var desktop: String
    /// The next step if a device cannot be disabled.
    var next: (SwitchableInput) -> Phrase
  }

  private let commands: Commands
  private let note: (Message) -> Void
  private let kernelDirectory: String
  /// The devices to disable; `nil` for none.
  var wanted: DisabledInput?
  /// The former states of the disabled devices, stored in a file that survives a crash.
  private var kept: StateTable<String>
  /// Counts the sent commands: a device list that was requested before the last of them may be outdated.
  private(set) var sent = 0
  private var complained: Set<String> = []
  /// Disabled by a sent command, where the display system does not report states.
  private var sentOff: Set<String> = []
  /// Restored by a command that was not answered yet.
  private var restoring: Set<String> = []

  init(kept: StateFile, kernelDirectory: String, note: @escaping (Message) -> Void, _ commands: Commands) {
    self.kept = StateTable(kept, value: { commands.others.contains($0) ? $0 : nil }, word: \.self)
    self.kernelDirectory = kernelDirectory
    self.note = note
    self.commands = commands
    sentOff = Set(self.kept.names)
  }

  /// The kernel's devices; empty, and not read, while no devices are to be disabled.
  var kernelDevices: [KernelInput] { wanted == nil ? [] : KernelInput.all(in: kernelDirectory) }

  /// The kernel device of that event node.
  func kernelDevice(node: String) -> KernelInput? {
    wanted == nil ? nil : KernelInput(node: node, in: kernelDirectory)
  }

  /// Whether there is anything to disable or to restore.
  var isNeeded: Bool { wanted != nil || !kept.names.isEmpty }

  /// Disables and restores devices as wanted.
  /// - Parameter inputs: all devices, as reported after the last sent command.
  func reconcile(_ inputs: [SwitchableInput]) {
    let included = inputs.filter { wanted?.includes($0.names, $0.kernelDevices) == true }
    for input in included where state(of: input) != commands.disabled { disable(input) }
    let identifiers = Set(included.map(\.identifier))
    for identifier in kept.names where !identifiers.contains(identifier) {
      // Also for an unplugged device: the display system may store its state until it is plugged in again.
      let state = inputs.first { $0.identifier == identifier }?.state
      if state == nil || state == commands.disabled { restore(identifier) } else { kept.forget(identifier) }
    }
    sentOff = Set(inputs.map(\.identifier)).intersection(kept.names).subtracting(restoring)
  }

  /// To be called where the display system forgets sent commands when it reads its configuration.
  func configurationWasRead() {
    sentOff = []
  }

  /// A state that is not reported counts as on, unless the device was disabled here.
  private func state(of input: SwitchableInput) -> String {
    input.state ?? (sentOff.contains(input.identifier) ? commands.disabled : commands.others[0])
  }

  /// Restores all devices.
  func stop() {
    wanted = nil
    // What was not answered may be lost when the connection is closed.
    restoring = []
    kept.names.forEach(restore)
  }

  private func disable(_ input: SwitchableInput) {
    let before = commands.others.first { $0 == input.state } ?? commands.others[0]
    // If the file cannot be written, the device is still restored, unless this process is killed.
    try? kept.keep(before, for: input.identifier)
    restoring.remove(input.identifier)
    send(commands.disabled, to: input.identifier) { [weak self] in
      if let reason = $0 { self?.disablingFailed(input, reason) }
    }
  }

  /// The next reading repeats it.
  private func disablingFailed(_ input: SwitchableInput, _ reason: Message) {
    sentOff.remove(input.identifier)
    // A display system that has not answered may still disable it.
    if reason.code != .displaySilent { kept.forget(input.identifier) }
    let what: Phrase = "\(commands.desktop) does not disable “\(input.names[0])” in tablet mode (\(reason))"
    if complained.insert(input.identifier).inserted {
      note(Message(.inputNotDisabled, what, next: commands.next(input)))
    }
  }

  private func restore(_ identifier: String) {
    guard let before = kept[identifier], restoring.insert(identifier).inserted else { return }
    send(before, to: identifier) { [weak self] failure in
      guard let self, restoring.remove(identifier) != nil else { return }
      // A failure stays recorded for the next reading, or the next start: the device may still be disabled. Only
      // where states are stored by name, a refusal would be repeated.
      let isRefused = failure?.code == .displayRefused
      if failure == nil || isRefused && !commands.setsOnlyConnected { kept.forget(identifier) }
    }
  }

  private func send(_ state: String, to identifier: String, ended: @escaping (Message?) -> Void) {
    sent += 1
    commands.set(state, identifier, ended)
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
