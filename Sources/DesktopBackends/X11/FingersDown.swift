// SPDX-License-Identifier: MIT

/// One finger on one touchscreen.
struct Finger: Hashable {
  /// XInput's device id.
  var device: UInt16
  /// XInput's number of the touch.
  var touch: UInt32
}

/// Who is touching the panel: it matters when the first finger comes down and when the last goes up.
struct FingersDown {
  private var fingers: Set<Finger> = []

  /// - Returns: whether it is the first.
  mutating func began(_ finger: Finger) -> Bool {
    fingers.insert(finger).inserted && fingers.count == 1
  }

  /// - Returns: whether it was the last.
  mutating func ended(_ finger: Finger) -> Bool {
    fingers.remove(finger) != nil && fingers.isEmpty
  }

  /// Lets go of the fingers on devices that are no more.
  /// - Returns: whether the last is gone with them.
  mutating func keep(onlyOn devices: Set<UInt16>) -> Bool {
    let before = fingers.count
    fingers = fingers.filter { devices.contains($0.device) }
    return before > 0 && fingers.isEmpty
  }
}
