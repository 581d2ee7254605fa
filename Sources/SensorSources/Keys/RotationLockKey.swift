// SPDX-License-Identifier: MIT

import CEvdev
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
    let paths = KernelInput.all(quirks: nil).filter { $0.keys.contains(HeardDevice.key) }.map(\.node)
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
  private let device: EventDevice
  private var presses = 0
  private let onPress: (HeardDevice, _ isGone: Bool) -> Void

  init(
    _ path: String, loop: EventLoop, onPress: @escaping (HeardDevice, _ isGone: Bool) -> Void
  ) throws {
    self.path = path
    self.onPress = onPress
    device = try EventDevice(path)
    // What else is typed on it is none of our business, and wakes nobody. Kernels that cannot hold it back are old.
    _ = evdev_hear_keys(device.descriptor, UInt32(Self.key), UInt32(Self.key))
    try device.watch(
      on: loop, take: { [weak self] in self?.take($0) }, changed: { [weak self] in self?.tell(isThere: $0) })
  }

  private func take(_ event: input_event) {
    if event.type == EV_KEY, Int(event.code) == Self.key, event.value == 1 { presses += 1 }
  }

  private func tell(isThere: Bool) {
    let count = presses
    presses = 0
    for _ in 0..<count { onPress(self, false) }
    guard !isThere else { return }
    device.stop()
    onPress(self, true)
  }
}
