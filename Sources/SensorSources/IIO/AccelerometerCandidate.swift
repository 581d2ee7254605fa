// SPDX-License-Identifier: MIT

import Autorotation

/// What is known of a device with an accelerometer before one is chosen.
nonisolated struct AccelerometerCandidate: Equatable, Sendable {
  /// The kernel's: "iio:device0".
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

  /// Where it is built in. udev's word, corrected by people, is worth more than the firmware's.
  enum Place: Sendable { case display, base }

  var place: Place? {
    for word in [udevLocation, label, location] {
      switch word {
      case "display", "accel-display", "lid": return .display
      case "base", "accel-base": return .base
      default: continue
      }
    }
    return nil
  }

  /// For the person: "accel_3d (iio:device0)".
  var title: String { name.map { "\($0.printable()) (\(id))" } ?? id }

  /// The number in the kernel's name, so that device10 comes after device2.
  private var number: Int {
    Int(id.drop { !$0.isNumber }) ?? .max
  }

  /// The accelerometer of the display: one that says so, else the first that does not say otherwise.
  /// That of the base: only one that says so.
  static func choose(_ place: Place, from candidates: [Self]) throws(Message) -> Self {
    let usable = usable(candidates)
    if let chosen = usable.first(where: { $0.place == place }) { return chosen }
    if place == .display, let chosen = usable.first(where: { $0.place == nil }) { return chosen }
    throw failure(of: candidates)
  }

  /// The others that might as well be meant: they say the same of their place, or nothing as this one.
  func rivals(among candidates: [Self]) -> [Self] {
    Self.usable(candidates).filter { $0.id != id && $0.place == place }
  }

  private static func usable(_ candidates: [Self]) -> [Self] {
    candidates.filter { $0.hasThreeAxes && !$0.isInJoypad }.sorted { $0.number < $1.number }
  }

  private static func failure(of candidates: [Self]) -> Message {
    guard let first = candidates.min(by: { $0.number < $1.number }) else { return .noAccelerometer }
    if first.isInJoypad {
      return .unusable("the only accelerometer, \(first.title), is a joypad's")
    }
    guard first.hasThreeAxes else {
      return .unusable("the accelerometer \(first.title) does not offer raw values of three axes")
    }
    return .unusable(
      "the only accelerometer, \(first.title), sits in the base and not in the display",
      next: "if that is wrong, set ACCEL_LOCATION=display for it in udev's hwdb (see 60-sensor.hwdb)")
  }
}
