// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
import System

/// A pen's input device that the loop watches. What is drawn is not read: only that a pen comes and goes.
final class PenDevice {
  let candidate: PenCandidate
  private(set) var isNear = false

  private let descriptor: Int32
  private var source: EventSource?
  private let onChange: (PenDevice, _ isGone: Bool) -> Void

  /// - Throws: `SystemError`, with EACCES where the person may not read it.
  init(
    _ candidate: PenCandidate, loop: EventLoop, onChange: @escaping (PenDevice, _ isGone: Bool) -> Void
  ) throws {
    self.candidate = candidate
    self.onChange = onChange
    descriptor = open(candidate.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open \(candidate.path)", code: errno) }
    // Kernels that cannot hold back the strokes are old.
    _ = evdev_hear_tools(descriptor)
    guard readState() else { throw SystemError(call: "EVIOCGKEY", code: errno) }
    source = try loop.watch(descriptor) { [weak self] in self?.receive() }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// The events only tell that something has changed: the state cannot be missed, whatever was dropped from the queue.
  private func receive() {
    let isThere = drain() && readState()
    if !isThere { source?.cancel() }
    onChange(self, !isThere)
  }

  /// - Returns: whether the device is still there.
  private func drain() -> Bool {
    let size = 64 * MemoryLayout<input_event>.stride
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { events in
      var count = size
      while count == size { count = read(descriptor, events.baseAddress, size) }
      return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }
  }

  private func readState() -> Bool {
    let tools = evdev_tools_near(descriptor)
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
