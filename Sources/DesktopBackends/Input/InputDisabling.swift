// SPDX-License-Identifier: MIT

import Autorotation
import System

/// A keyboard or pointing device that its display system can switch off and on.
struct SwitchableInput: Equatable {
  /// By which it is addressed.
  var identifier: String
  /// All that it is called, for a person to name it by; the first is the nicest.
  var names: [String]
  /// The display system's word for whether it is on; `nil` if it does not report that.
  var state: String?
  /// The kernel's devices that it may stand for; empty if that cannot be told.
  var kernelDevices: [KernelInput] = []
}

extension SwitchableInput {
  /// What a person is told if it cannot be switched off.
  func stays(on desktop: String, _ reason: Message, next: Phrase) -> Message {
    Message(
      .inputNotDisabled, "\(desktop) does not disable “\(names[0])” in tablet posture (\(reason))", next: next
    )
  }
}

/// Disables keyboards and pointing devices on request, and restores afterwards what they were, after a crash, too.
final class InputDisabling {
  /// How a display system is told.
  struct Way {
    /// Its word for a device that is off.
    var disabled: String
    /// Its words for what a device can be otherwise, the usual one first.
    var others: [String]
    /// Sets the state of a device; takes whom to tell if that fails.
    var set: (_ state: String, _ identifier: String, _ failed: @escaping (Message) -> Void) -> Void
    /// What a person is told of a device that stays on.
    var complaint: (SwitchableInput, Message) -> Message
  }

  private let way: Way
  private let note: (Message) -> Void
  private let kernelDirectory: String
  /// `nil` for none.
  var wanted: DisabledInput?
  /// What those that are disabled now were before, kept over a crash.
  private var kept: StateTable<String>
  /// Counts what was sent: the answer to a question from before the last of it may be outdated.
  private(set) var sent = 0
  private var complained: Set<String> = []
  /// Off by what was sent, where the display system does not report it.
  private var sentOff: Set<String> = []

  /// - Parameter kernelDirectory: where the kernel tells of its devices.
  init(kept: StateFile, kernelDirectory: String, note: @escaping (Message) -> Void, _ way: Way) {
    self.kept = StateTable(kept, value: { way.others.contains($0) ? $0 : nil }, word: \.self)
    self.kernelDirectory = kernelDirectory
    self.note = note
    self.way = way
    sentOff = Set(self.kept.names)
  }

  /// The kernel's devices, which are only of interest, and only read, while some are wanted.
  var kernelDevices: [KernelInput] { wanted == nil ? [] : KernelInput.all(in: kernelDirectory) }

  /// The one of that name.
  func kernelDevice(node: String) -> KernelInput? {
    wanted == nil ? nil : KernelInput(node: node, in: kernelDirectory)
  }

  /// Whether there is anything to disable or to restore.
  var isNeeded: Bool { wanted != nil || !kept.names.isEmpty }

  /// - Parameter inputs: as they were told after the last of what was sent.
  func settle(_ inputs: [SwitchableInput]) {
    let taken = inputs.filter(isTaken)
    for input in taken where state(of: input) != way.disabled { disable(input) }
    let identifiers = Set(taken.map(\.identifier))
    for identifier in kept.names where !identifiers.contains(identifier) {
      // Without a device there may still be a list of what such a one gets when it comes.
      let now = inputs.first { $0.identifier == identifier }.map(state)
      if now == nil || now == way.disabled { restore(identifier) } else { kept.forget(identifier) }
    }
    sentOff = Set(inputs.map(\.identifier)).intersection(kept.names)
  }

  /// To be called where the display system then forgets what was sent.
  func configurationWasRead() {
    sentOff = []
  }

  /// What is not reported counts as on, unless it was switched off here.
  private func state(of input: SwitchableInput) -> String {
    input.state ?? (sentOff.contains(input.identifier) ? way.disabled : way.others[0])
  }

  private func isTaken(_ input: SwitchableInput) -> Bool {
    wanted?.includes(input.names, input.kernelDevices) == true
  }

  /// Restores all.
  func stop() {
    wanted = nil
    kept.names.forEach(restore)
  }

  private func disable(_ input: SwitchableInput) {
    let before = way.others.first { $0 == input.state } ?? way.others[0]
    // Without the file it is restored all the same, unless this process is killed.
    try? kept.keep(before, for: input.identifier)
    send(way.disabled, to: input.identifier) { [weak self] reason in
      self?.kept.forget(input.identifier)
      self?.complain(input, reason)
    }
  }

  private func restore(_ identifier: String) {
    guard let before = kept[identifier] else { return }
    send(before, to: identifier) { _ in }
    // What is not taken now, as there is no such device any more, will not be taken later.
    kept.forget(identifier)
  }

  private func send(_ state: String, to identifier: String, failed: @escaping (Message) -> Void) {
    sent += 1
    way.set(state, identifier, failed)
  }

  private func complain(_ input: SwitchableInput, _ reason: Message) {
    guard complained.insert(input.identifier).inserted else { return }
    note(way.complaint(input, reason))
  }
}
