// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Disables keyboards and pointing devices while that is wanted. The X server itself lets go the keys that are held on a
/// device that it disables.
final class DisabledDevices {
  private let input: XInput
  /// `nil` for none.
  var wanted: DisabledInput?
  /// Whether something may be left to be enabled again, perhaps by a daemon that was killed.
  private var mayHaveMarks = true
  /// What this process disabled, as far as it knows.
  private var ours: Set<xcb_input_device_id_t> = []
  /// What was asked to be enabled, and has its mark still.
  private var released: Set<xcb_input_device_id_t> = []

  private var connection: X11Connection { input.connection }

  init(_ input: XInput) {
    self.input = input
  }

  /// To be called when something has been wanted, and whenever a device has come, or was enabled or disabled.
  func settle() throws(Message) {
    guard wanted != nil || mayHaveMarks else { return }
    let devices = try input.devicesWithProperties()
    for device in devices { perform(whatToDo(with: device), device) }
    mayHaveMarks = wanted != nil || devices.contains(where: \.isMarked)
    connection.flush()
  }

  /// Enables all again, while the connection is there.
  func stop() {
    wanted = nil
    // The second look removes the marks, and the third waits until that is done.
    for _ in 1...3 {
      do { try settle() } catch { return enableUnseen() }
    }
  }

  /// A server that does not answer now will do what it was asked when it goes on.
  private func enableUnseen() {
    for device in ours { set(connection.atoms[.deviceEnabled], to: 1, of: device) }
  }

  private func whatToDo(with device: InputDevice) -> InputSwitch {
    InputSwitch(
      isWanted: wanted?.takes(device, connection.atoms) ?? false, isEnabled: device.isEnabled,
      isMarked: device.isMarked,
      isReleased: released.contains(device.id))
  }

  private func perform(_ action: InputSwitch, _ device: InputDevice) {
    switch action {
    case .nothing: break
    case .disable:
      ours.insert(device.id)
      released.remove(device.id)
      set(connection.atoms[.disabledMark], to: 1, of: device.id)
      set(connection.atoms[.deviceEnabled], to: 0, of: device.id)
    case .enable:
      released.insert(device.id)
      set(connection.atoms[.deviceEnabled], to: 1, of: device.id)
    case .removeMark:
      ours.remove(device.id)
      released.remove(device.id)
      xcb_input_xi_delete_property(connection.handle, device.id, connection.atoms[.disabledMark])
    }
  }

  private func set(_ property: xcb_atom_t, to value: UInt8, of device: xcb_input_device_id_t) {
    connection.set(property, to: value, of: device)
  }
}

extension DisabledInput {
  fileprivate func takes(_ device: InputDevice, _ atoms: X11Atoms) -> Bool {
    guard !device.isVirtual, device.touch != .direct, !atoms.isDrawnOn(device.type) else {
      return false
    }
    return includes([device.name], device.node.flatMap { KernelInput(node: $0) }.map { [$0] } ?? [])
  }
}

/// What is to be done with one device that may be disabled for a time.
///
/// What we disabled carries a mark on the X server, so that a daemon that was killed leaves nothing disabled
/// for good: the next one sees the mark.
nonisolated enum InputSwitch: Equatable {
  case nothing
  /// Mark it, and disable it.
  case disable
  /// Enable it; the mark goes when that is seen to be so, which it may not be while another terminal is shown.
  case enable
  case removeMark

  /// - Parameter isReleased: whether it was enabled by us since, and is marked only as nobody has looked.
  init(isWanted: Bool, isEnabled: Bool, isMarked: Bool, isReleased: Bool = false) {
    self =
      switch (isWanted, isEnabled, isMarked) {
      case (true, true, false): .disable
      // The person has enabled it again.
      case (true, true, true): isReleased ? .disable : .nothing
      case (true, false, _): .nothing
      case (false, false, true): .enable
      case (false, true, true): .removeMark
      // Others disabled it, or nobody did.
      case (false, _, false): .nothing
      }
  }
}
