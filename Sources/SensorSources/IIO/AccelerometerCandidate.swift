// SPDX-License-Identifier: MIT

import Autorotation

/// A sensor of the kernel, such as an accelerometer that may be chosen as the display's or the base's.
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
  /// In /sys/devices.
  var path: String?

  /// Where it is built in. udev's database, which users correct, overrides the firmware.
  enum Place: Sendable { case display, base }

  var place: Place? {
    [udevLocation, label, location].compactMap { $0.flatMap { Self.places[$0] } }.first
  }

  private static let places: [String: Place] = [
    "display": .display, "accel-display": .display, "lid": .display, "base": .base, "accel-base": .base,
  ]

  /// Shown to the user: "accel_3d (iio:device0)".
  var title: String { name.map { "\($0.printable()) (\(id))" } ?? id }

  /// From the kernel's name, so that device10 is sorted after device2.
  private var number: Int { Int(id.drop { !$0.isNumber }) ?? .max }

  /// Chooses the display's by its name, else the first with the given location. For the display, one without a location
  /// is the second choice; for the base, it is the only one left if the display's is named.
  static func choose(
    _ place: Place, named name: String? = nil, from candidates: [Self]
  ) throws(Message) -> Self {
    let named = name.flatMap { first(named: $0, of: candidates) }
    if place == .display, let named { return named }
    let others = usable(candidates).filter { $0.id != named?.id }
    if let chosen = others.first(where: { $0.place == place }) { return chosen }
    if place == .display, let chosen = others.first(where: { $0.place == nil }) { return chosen }
    if place == .base, named != nil, others.count == 1 { return others[0] }
    throw place == .base ? .noAccelerometerInBase : failure(of: candidates)
  }

  /// The first that has a name, a label or a name in the kernel that matches the one in the settings.
  static func first(named name: String, of candidates: [Self]) -> Self? {
    candidates.filter { candidate in
      candidate.hasThreeAxes
        && [candidate.name, candidate.label, candidate.id].contains { word in
          word.map { ApplicationRule.pattern(name, matches: $0) } ?? false
        }
    }.min { $0.number < $1.number }
  }

  /// Other usable accelerometers with this location; without a location if this has none.
  func alternatives(among candidates: [Self]) -> [Self] {
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
