// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
import System

/// An input device that the loop watches. Costs nothing while nothing moves.
final class PostureDevice {
  let candidate: PostureCandidate
  /// The switches that are on.
  private(set) var on: SwitchSet = []
  /// What its keys said last.
  private var keysSay = Posture.unknown

  private let device: EventDevice
  private let onChange: (PostureDevice, _ isGone: Bool) -> Void

  /// - Throws: `SystemError`, with EACCES where the person may not read it.
  init(
    _ candidate: PostureCandidate, loop: EventLoop,
    onChange: @escaping (PostureDevice, _ isGone: Bool) -> Void
  ) throws {
    self.candidate = candidate
    self.onChange = onChange
    device = try EventDevice(candidate.path)
    if candidate.hasKeys { hearOnlyFolding() }
    guard readStates() else { throw SystemError(call: "EVIOCGSW", code: errno) }
    try device.watch(
      on: loop, take: { [weak self] in self?.note($0) },
      changed: { [weak self] in self?.receive(isThere: $0) })
  }

  /// What each of its witnesses says.
  var words: [(PostureWitness, Posture)] {
    candidate.witnesses.map { ($0, candidate.word(of: $0.kind, on: on, keys: keysSay)) }
  }

  /// What else is typed on it is none of our business, and wakes nobody. Kernels that cannot hold it back are old.
  private func hearOnlyFolding() {
    _ = evdev_hear_keys(
      device.descriptor, UInt32(FoldingKey.folded.code), UInt32(FoldingKey.unfolded.code))
  }

  /// The events only tell that something has changed: the state of a switch cannot be missed, whatever was dropped from
  /// the queue. A key has no state that lasts, so its event has to do.
  private func receive(isThere: Bool) {
    let isGone = !isThere || !readStates()
    if isGone { device.stop() }
    onChange(self, isGone)
  }

  private func note(_ event: input_event) {
    guard candidate.hasKeys, event.type == EV_KEY, event.value == 1 else { return }
    if let key = FoldingKey.allCases.first(where: { $0.code == event.code }) { keysSay = key.posture }
  }

  private func readStates() -> Bool {
    guard let states = candidate.switchStates(of: device.descriptor) else { return false }
    on = states
    return true
  }
}

/// Those of the kernel's switches that tell the shape of a device.
nonisolated struct SwitchSet: OptionSet {
  let rawValue: UInt

  static let lidClosed = Self(rawValue: 1 << UInt(SW_LID))
  static let tablet = Self(rawValue: 1 << UInt(SW_TABLET_MODE))
  static let docked = Self(rawValue: 1 << UInt(SW_DOCK))
  static let all: Self = [.lidClosed, .tablet, .docked]
}

nonisolated extension SwitchSet {
  init(_ codes: KernelInput.BitSet) {
    let switches = [SW_LID, SW_TABLET_MODE, SW_DOCK].filter { codes.contains(Int($0)) }
    self.init(switches.map { Self(rawValue: 1 << UInt($0)) })
  }
}
