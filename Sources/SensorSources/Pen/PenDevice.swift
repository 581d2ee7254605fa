// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
import System

/// A pen's input device that the loop watches. What is drawn is not read: only that a pen comes and goes.
final class PenDevice {
  let candidate: PenCandidate
  private(set) var isNear = false

  private let device: EventDevice
  private let onChange: (PenDevice, _ isGone: Bool) -> Void

  /// - Throws: `SystemError`, with EACCES where the person may not read it.
  init(
    _ candidate: PenCandidate, loop: EventLoop, onChange: @escaping (PenDevice, _ isGone: Bool) -> Void
  ) throws {
    self.candidate = candidate
    self.onChange = onChange
    device = try EventDevice(candidate.path)
    // Kernels that cannot hold back the strokes are old.
    _ = evdev_hear_tools(device.descriptor)
    guard readState() else { throw SystemError(call: "EVIOCGKEY", code: errno) }
    try device.watch(on: loop) { [weak self] in self?.receive(isThere: $0) }
  }

  /// The events only tell that something has changed: the state cannot be missed, whatever was dropped from the queue.
  private func receive(isThere: Bool) {
    let isGone = !isThere || !readState()
    if isGone { device.stop() }
    onChange(self, isGone)
  }

  private func readState() -> Bool {
    let tools = evdev_tools_near(device.descriptor)
    isNear = tools > 0
    return tools >= 0
  }
}

/// A pen's input device, before it is opened.
struct PenCandidate: Equatable {
  /// "/dev/input/event7".
  let path: String
  /// "Wacom HID 4944 Pen".
  let name: String

  /// Those that one draws on the screen with.
  static var all: [Self] {
    let tools = Int(BTN_TOOL_PEN)...Int(BTN_TOOL_AIRBRUSH)
    return InputDevices.all.filter { device in device.isOnScreen && tools.contains(where: device.hasKey) }
      .map { Self(path: $0.path, name: $0.name) }
  }
}
