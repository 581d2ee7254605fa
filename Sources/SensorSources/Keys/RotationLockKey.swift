// SPDX-License-Identifier: MIT

import CEvdev
package import System

/// Receives the rotation lock key of some machines (KEY_ROTATE_LOCK_TOGGLE) in X11 sessions, where no other program can,
/// since X11 has no key codes above 255. It causes no wake-ups until that key is pressed.
package final class RotationLockKey {
  private let loop: EventLoop
  private let pressed: () -> Void
  private var monitor: UdevMonitor?
  private var devices: [KeyDevice] = []

  /// Whether this session is active, so that the keyboard belongs to it.
  package var isInFront = true

  /// - Parameter pressed: called from the loop.
  package init(loop: EventLoop, pressed: @escaping () -> Void) {
    self.loop = loop
    self.pressed = pressed
  }

  package func start() {
    monitor = try? UdevMonitor(subsystem: "input", loop: loop) { [weak self] in self?.updateDevices() }
    updateDevices()
  }

  private func updateDevices() {
    let paths = KernelInput.all(quirks: nil).filter { $0.keys.contains(KeyDevice.key) }.map(\.node)
    devices = paths.compactMap { path in devices.first { $0.path == path } ?? open(path) }
  }

  /// Devices that this user may not read are skipped.
  private func open(_ path: String) -> KeyDevice? {
    try? KeyDevice(path, loop: loop) { [weak self] device, isGone in
      guard let self else { return }
      if isGone { devices.removeAll { $0 === device } } else if isInFront { pressed() }
    }
  }
}

/// A device that has the key.
private final class KeyDevice {
  static let key = Int(KEY_ROTATE_LOCK_TOGGLE)

  let path: String
  private let device: EventDevice
  private var presses = 0
  private let onPress: (KeyDevice, _ isGone: Bool) -> Void

  init(_ path: String, loop: EventLoop, onPress: @escaping (KeyDevice, _ isGone: Bool) -> Void) throws {
    self.path = path
    self.onPress = onPress
    device = try EventDevice(path)
    // For privacy, and to avoid wake-ups. Only old kernels lack this mask.
    _ = evdev_receive_keys(device.descriptor, UInt32(Self.key), UInt32(Self.key))
    try device.watch(
      on: loop, receive: { [weak self] in self?.receive($0) },
      changed: { [weak self] in self?.reportPresses(isConnected: $0) })
  }

  private func receive(_ event: input_event) {
    if event.type == EV_KEY, Int(event.code) == Self.key, event.value == 1 { presses += 1 }
  }

  private func reportPresses(isConnected: Bool) {
    let count = presses
    presses = 0
    for _ in 0..<count { onPress(self, false) }
    if !isConnected { onPress(self, true) }
  }
}
