// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Disables keyboards and pointing devices in tablet mode.
/// The X server releases pressed keys of a device that it disables.
final class DisabledDevices {
  private let input: XInput
  /// The devices to disable; `nil` for none.
  var wanted: DisabledInput?
  /// Whether marked devices may exist, perhaps from a daemon that was killed.
  private var mayHaveMarks = true
  /// The devices that this process disabled, as far as it knows.
  private var disabled: Set<xcb_input_device_id_t> = []
  /// Devices that were enabled again and still have their mark.
  private var released: Set<xcb_input_device_id_t> = []

  private var connection: X11Connection { input.connection }

  init(_ input: XInput) {
    self.input = input
  }

  /// Brings all devices to the wanted state. To be called after a change of `wanted`, and after a device was added,
  /// enabled or disabled.
  func reconcile() throws(Message) {
    guard wanted != nil || mayHaveMarks else { return }
    let devices = try input.devices()
    for device in devices { reconcile(device) }
    mayHaveMarks = wanted != nil || devices.contains(where: \.isMarked)
    connection.flush()
  }

  /// Enables all devices again, while the connection exists.
  func stop() {
    wanted = nil
    // The second pass removes the marks, and the third waits until that is done.
    for _ in 1...3 {
      do { try reconcile() } catch {
        // A server that does not answer now carries out these requests when it continues.
        for device in disabled { connection.set(connection.atoms[.deviceEnabled], to: 1, of: device) }
        return
      }
    }
  }

  /// A disabled device is marked on the X server, so that the next daemon enables what a killed one has disabled.
  private func reconcile(_ device: InputDevice) {
    let (id, atoms) = (device.id, connection.atoms)
    switch (wanted?.includes(device, atoms) ?? false, device.isEnabled, device.isMarked) {
    // With a mark that is not about to be removed, the user has enabled it again.
    case (true, true, let isMarked) where !isMarked || released.contains(id):
      disabled.insert(id)
      released.remove(id)
      connection.set(atoms[.disabledMark], to: 1, of: id)
      connection.set(atoms[.deviceEnabled], to: 0, of: id)
    // The mark is removed once the device reads as enabled, which fails while another terminal is shown.
    case (false, false, true):
      released.insert(id)
      connection.set(atoms[.deviceEnabled], to: 1, of: id)
    case (false, true, true):
      disabled.remove(id)
      released.remove(id)
      xcb_input_xi_delete_property(connection.handle, id, atoms[.disabledMark])
    // Disabled already, by another program, or not at all.
    default: break
    }
  }
}

extension DisabledInput {
  fileprivate func includes(_ device: InputDevice, _ atoms: X11Atoms) -> Bool {
    guard !device.isVirtual, device.touch != .direct, !atoms.isTouchOrTablet(device.type) else {
      return false
    }
    return includes([device.name], device.node.flatMap { KernelInput(node: $0) }.map { [$0] } ?? [])
  }
}
