// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
import System

/// An input device that the loop watches. It causes no wake-ups without events.
final class PostureDevice {
  let candidate: PostureCandidate
  /// The switches that are on.
  private(set) var on: Set<PostureSwitch> = []
  /// The posture of the key pressed last.
  private var keyPosture = Posture.unknown

  private let device: EventDevice
  private let onChange: (PostureDevice, _ isGone: Bool) -> Void

  /// - Parameter onChange: releases a device that is gone.
  /// - Throws: `SystemError`, with EACCES if the user may not read it.
  init(
    _ candidate: PostureCandidate, loop: EventLoop,
    onChange: @escaping (PostureDevice, _ isGone: Bool) -> Void
  ) throws {
    self.candidate = candidate
    self.onChange = onChange
    device = try EventDevice(candidate.path)
    if candidate.hasKeys { receiveOnlyFoldingKeys() }
    guard readStates() else { throw SystemError(call: "EVIOCGSW", code: errno) }
    try device.watch(
      on: loop, receive: { [weak self] in self?.note($0) },
      changed: { [weak self] in self?.receive(isConnected: $0) })
  }

  /// The posture of each of its inputs.
  var readings: [(PostureInput, Posture)] {
    candidate.inputs.map { ($0, candidate.reading(of: $0.kind, on: on, keys: keyPosture)) }
  }

  /// For privacy, and to avoid wake-ups. Only old kernels lack this mask.
  private func receiveOnlyFoldingKeys() {
    _ = evdev_receive_keys(
      device.descriptor, UInt32(FoldingKey.folded.rawValue), UInt32(FoldingKey.unfolded.rawValue))
  }

  /// Events of switches only trigger a read of the states, so that a change is noticed even if its event was dropped. A
  /// key has no lasting state, so its event is used.
  private func receive(isConnected: Bool) { onChange(self, !isConnected || !readStates()) }

  private func note(_ event: input_event) {
    guard candidate.hasKeys, event.type == EV_KEY, event.value == 1 else { return }
    if let key = FoldingKey(rawValue: Int(event.code)) { keyPosture = key.posture }
  }

  private func readStates() -> Bool {
    guard let states = candidate.switchStates(of: device.descriptor) else { return false }
    on = states
    return true
  }
}
