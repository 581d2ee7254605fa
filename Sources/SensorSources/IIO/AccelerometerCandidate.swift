// SPDX-License-Identifier: MIT

import Autorotation

/// A device with an accelerometer that may be chosen as the display's or the base's.
nonisolated struct AccelerometerCandidate: Equatable, Sendable {
  /// Its name in the kernel: "iio:device0".
  var id: String
  /// The driver's: "accel_3d", "bmc150_accel".
  var name: String?
  /// The kernel's `label`: "accel-display", "accel-base".
  var label: String?
  /// The kernel's `location`, in older drivers of ChromeOS devices: "lid", "base".
  var location: String?
  /// udev's `ACCEL_LOCATION`, from its hardware database: "display", "base".
  var udevLocation: String?
  var hasThreeAxes = true
  var isInJoypad = false

  /// Where it is built in. udev's database, which users correct, overrides the firmware.
  enum Place: Sendable { case display, base }

  var place: Place? {
    for location in [udevLocation, label, location] {
      switch location {
      case "display", "accel-display", "lid": return .display
      case "base", "accel-base": return .base
      default: continue
      }
    }
    return nil
  }

  /// Shown to the user: "accel_3d (iio:device0)".
  var title: String { name.map { "\($0.printable()) (\(id))" } ?? id }

  /// From the kernel's name, so that device10 is sorted after device2.
  private var number: Int {
    Int(id.drop { !$0.isNumber }) ?? .max
  }

  /// Chooses the first with the given location. For the display, one without a location is the second choice.
  static func choose(_ place: Place, from candidates: [Self]) throws(Message) -> Self {
    let usable = usable(candidates)
    if let chosen = usable.first(where: { $0.place == place }) { return chosen }
    if place == .display, let chosen = usable.first(where: { $0.place == nil }) { return chosen }
    throw failure(of: candidates)
  }

  /// The other usable ones with the same location, or without one like this.
  func rivals(among candidates: [Self]) -> [Self] {
    Self.usable(candidates).filter { $0.id != id && $0.place == place }
  }

  private static func usable(_ candidates: [Self]) -> [Self] {
    candidates.filter { $0.hasThreeAxes && !$0.isInJoypad }.sorted { $0.number < $1.number }
  }

  private static func failure(of candidates: [Self]) -> Message {
    guard let first = candidates.min(by: { $0.number < $1.number }) else { return .noAccelerometer }
    if first.isInJoypad {
      return .unusable("the only accelerometer, \(first.title), belongs to a game controller")
    }
    guard first.hasThreeAxes else {
      return .unusable("the accelerometer \(first.title) has no raw values for three axes")
    }
    return .unusable(
      "the only accelerometer, \(first.title), is in the base, not in the display",
      next: "if that is wrong, set ACCEL_LOCATION=display for it in udev's hwdb (see 60-sensor.hwdb)")
  }
}
