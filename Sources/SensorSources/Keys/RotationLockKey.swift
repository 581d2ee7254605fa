// SPDX-License-Identifier: MIT

import CEvdev
package import System

/// Receives the rotation lock key of some machines (KEY_ROTATE_LOCK_TOGGLE) in X11 sessions, where no other program
/// can, since X11 has no key codes above 255. It causes no wake-ups until that key is pressed.
package final class RotationLockKey {
  private static let key = Int(KEY_ROTATE_LOCK_TOGGLE)

  private let loop: EventLoop
  private let pressed: () -> Void
  private var monitor: UdevMonitor?
  /// The devices that have the key, by their nodes.
  private var devices: [String: EventDevice] = [:]

  /// Whether this session is active, so that the keyboard belongs to it. Access to devices is granted with the seat,
  /// which udev does not report.
  package var isInFront = true {
    didSet { if isInFront, !oldValue { updateDevices() } }
  }

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
    let nodes = KernelInput.all(quirks: nil).filter { $0.keys.contains(Self.key) }.map(\.node)
    // Devices that this user may not read are skipped.
    devices = nodes.reduce(into: [:]) { $0[$1] = devices[$1] ?? (try? open($1)) }
  }

  private func open(_ node: String) throws -> EventDevice {
    let device = try EventDevice(node)
    // For privacy, and to avoid wake-ups. Only old kernels lack this mask.
    _ = evdev_receive_keys(device.descriptor, UInt32(Self.key), UInt32(Self.key))
    try device.watch(
      on: loop, receive: { [weak self] in self?.receive($0) },
      changed: { [weak self] isConnected in if !isConnected { self?.devices[node] = nil } })
    return device
  }

  private func receive(_ event: input_event) {
    if event.type == EV_KEY, Int(event.code) == Self.key, event.value == 1, isInFront { pressed() }
  }
}
