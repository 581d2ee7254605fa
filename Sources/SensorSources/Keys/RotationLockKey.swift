// SPDX-License-Identifier: MIT

import CEvdev
import Glibc
package import System

/// Hears the key by which some machines lock the rotation (KEY_ROTATE_LOCK_TOGGLE), for sessions of X11, which knows no
/// key codes above 255: there nobody else can. It costs nothing while that key is not pressed.
package final class RotationLockKey {
  private let loop: EventLoop
  private let pressed: () -> Void
  private var monitor: UdevMonitor?
  private var devices: [HeardDevice] = []

  /// Whether this session is the one in front, to which the keyboard belongs.
  package var isInFront = true

  /// - Parameter pressed: called from the loop.
  package init(loop: EventLoop, pressed: @escaping () -> Void) {
    self.loop = loop
    self.pressed = pressed
  }

  package func start() {
    monitor = try? UdevMonitor(subsystem: "input", loop: loop) { [weak self] in self?.look() }
    look()
  }

  package func stop() {
    monitor = nil
    devices = []
  }

  private func look() {
    let paths = InputDevices.all.filter { $0.hasKey(HeardDevice.key) }.map(\.path)
    devices = paths.compactMap { path in devices.first { $0.path == path } ?? open(path) }
  }

  /// What may not be read is left to whoever may.
  private func open(_ path: String) -> HeardDevice? {
    try? HeardDevice(path, loop: loop) { [weak self] device, isGone in
      guard let self else { return }
      if isGone { devices.removeAll { $0 === device } } else if isInFront { pressed() }
    }
  }
}

/// A device that has the key.
private final class HeardDevice {
  static let key = Int(KEY_ROTATE_LOCK_TOGGLE)

  let path: String
  private let descriptor: Int32
  private var source: EventSource?
  private let onPress: (HeardDevice, _ isGone: Bool) -> Void

  init(
    _ path: String, loop: EventLoop, onPress: @escaping (HeardDevice, _ isGone: Bool) -> Void
  ) throws {
    self.path = path
    self.onPress = onPress
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open \(path)", code: errno) }
    // What else is typed on it is none of our business, and wakes nobody. Kernels that cannot hold it back are old.
    _ = evdev_hear_keys(descriptor, UInt32(Self.key), UInt32(Self.key))
    source = try loop.watch(descriptor) { [weak self] in self?.receive() }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  private func receive() {
    let size = 64 * MemoryLayout<input_event>.stride
    var presses = 0
    let isThere = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { events in
      var count = size
      while count == size {
        count = read(descriptor, events.baseAddress, size)
        if count > 0 { presses += Self.presses(UnsafeRawBufferPointer(rebasing: events[..<count])) }
      }
      return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }
    for _ in 0..<presses { onPress(self, false) }
    guard !isThere else { return }
    source?.cancel()
    onPress(self, true)
  }

  private static func presses(_ events: UnsafeRawBufferPointer) -> Int {
    events.bindMemory(to: input_event.self).count {
      $0.type == EV_KEY && Int($0.code) == key && $0.value == 1
    }
  }
}
