// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Testing

@testable import SensorSources

/// The angle of a hinge with real pairs of accelerometers.
struct HingeFrameTests {
  private static let g = 9.80665
  private static let angles = [0.0, 100, 180, 300, 358]

  /// A chip, mounted in a part so that the rows of `matrix` map it to the frame of the hardware database: at rest it
  /// measures the opposite of gravity, in a right-handed frame of its own.
  private struct Chip {
    let matrix: MountMatrix

    /// −1 if the mapped z is opposite to gravity along the display's normal, which makes the chip's frame right-handed.
    var z: Double { matrix.determinant < 0 ? 1 : -1 }

    /// - Parameter gravity: in the frame of the part, m/s².
    func raw(_ gravity: Acceleration) -> Acceleration {
      let (m, v) = (matrix.elements, [gravity.x, gravity.y, z * gravity.z])
      // All matrices tried are orthogonal, so the transposed one is the inverse.
      let raw = (0..<3).map { column in (0..<3).reduce(0) { $0 + m[3 * $1 + column] * v[$1] } }
      return Acceleration(x: raw[0], y: raw[1], z: raw[2])
    }
  }

  private static func sensor(
    _ place: AccelerometerCandidate.Place, _ text: String?, from origin: MountMatrixChoice.Origin = .udev,
    name: String = "kxcjk1013", isLocatedByUdev: Bool = false
  ) -> MountedAccelerometer {
    let candidates =
      text.map { [MountMatrixChoice.Candidate(source: "test", text: $0, origin: origin)] } ?? []
    return MountedAccelerometer(
      place: place, id: "iio:device0", title: name, name: name, isLocatedByUdev: isLocatedByUdev,
      mount: .choose(override: nil, from: candidates))
  }

  /// Gravity in the frame of the display when it is opened by `degrees`, over a base that is tipped by `tip` about its back
  /// edge: x right, y away from the hinge, z out of the screen. At 0° that is also the base's frame.
  private static func gravity(opened degrees: Double, tip: Double) -> Acceleration {
    let angle = (degrees + tip) * .pi / 180
    return Acceleration(x: 0, y: -g * sin(angle), z: g * cos(angle))
  }

  private static func measured(
    _ display: (MountedAccelerometer, Acceleration), _ base: (MountedAccelerometer, Acceleration)
  ) -> Double? {
    func read(_ sensor: MountedAccelerometer, _ raw: Acceleration) -> Acceleration {
      HingeFrame(of: sensor)(sensor.mount.matrix(raw))
    }
    var hinge = HingeAngle()
    hinge.add(
      base: read(base.0, base.1), display: read(display.0, display.1), at: Instant(seconds: 1))
    return hinge.degrees
  }

  private static func isSame(_ found: Double?, _ degrees: Double) -> Bool {
    found.map { abs(remainder($0 - degrees, 360)) < 0.001 } ?? false
  }

  /// `autorotate calibrate --base` measures it with the device folded back, where both read the same.
  @Test(arguments: ["0, 1, 0; -1, 0, 0; 0, 0, 1", "1, 0, 0; 0, 1, 0; 0, 0, 1", "0, -1, 0; 1, 0, 0; 0, 0, 1"])
  func `a matrix of the settings puts the base in the display's frame`(text: String) {
    let (display, base) = (Self.sensor(.display, nil), Self.sensor(.base, text, from: .settings))
    let closed = Self.gravity(opened: 0, tip: 20)
    for degrees in stride(from: 30.0, to: 340, by: 50) {
      let raw = Chip(matrix: display.mount.matrix).raw(Self.gravity(opened: degrees, tip: 20))
      let rawOfBase = Chip(matrix: base.mount.matrix).raw(closed)
      #expect(Self.isSame(Self.measured((display, raw), (base, rawOfBase)), degrees))
    }
  }

  // MARK: The hardware database

  private static let database = ["/usr/lib/udev/hwdb.d/60-sensor.hwdb", "/lib/udev/hwdb.d/60-sensor.hwdb"]
    .first { FileManager.default.isReadableFile(atPath: $0) }

  /// The matrix of each key.
  private static func matrices() throws -> [String: String] {
    var (found, keys): ([String: String], [String]) = ([:], [])
    var isBlockOpen = false
    for line in try String(contentsOfFile: database ?? "", encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("sensor:") {
        keys = isBlockOpen ? keys + [String(line)] : [String(line)]
        isBlockOpen = true
      } else if line.hasPrefix(" ") {
        isBlockOpen = false
        let parts = line.dropFirst().split(separator: "=")
        guard parts.count == 2, parts[0] == "ACCEL_MOUNT_MATRIX" else { continue }
        for key in keys { found[key] = String(parts[1]) }
      }
    }
    return found
  }

  /// Of a sensor in a base, the one in the display of the same machine: by its label, or by the ids that the kernel's drivers
  /// have for the two.
  private static func partner(_ key: String) -> String {
    key.replacingOccurrences(of: "accel-base", with: "accel-display")
      .replacingOccurrences(of: "KIOX020A", with: "KIOX010A")
      .replacingOccurrences(of: "i2c:bmc150_accel", with: "acpi:DUAL250E*")
  }

  private static func pairs() throws -> [(key: String, display: String, base: String)] {
    let all = try matrices()
    return all.compactMap { key, base in
      let partner = partner(key)
      guard partner != key, let display = all[partner] else { return nil }
      return (key, display, base)
    }
  }

  @Test(.enabled(if: database != nil, "the hardware database of the package udev is not here"))
  func `each pair of the hardware database measures its hinge`() throws {
    let pairs = try Self.pairs()
    #expect(pairs.count >= 9)
    for (key, displayText, baseText) in pairs {
      let (display, base) = (Self.sensor(.display, displayText), Self.sensor(.base, baseText))
      let chips = (Chip(matrix: display.mount.matrix), Chip(matrix: base.mount.matrix))
      // Equal with the lid closed: a pair that two chips cannot read is a mistake of the database.
      let areOpposite = chips.0.z != chips.1.z
      #expect(HingeFrame.areOfOppositeHandedness(display, base) == areOpposite, "\(key)")
      #expect(areOpposite == key.contains("MEDION"), "\(key)")
      guard !areOpposite else { continue }
      for degrees in Self.angles {
        for tip in [0.0, -60, 90, 180] {
          let found = Self.measured(
            (display, chips.0.raw(Self.gravity(opened: degrees, tip: tip))),
            (base, chips.1.raw(Self.gravity(opened: 0, tip: tip))))
          #expect(Self.isSame(found, degrees), "\(key): \(found ?? -1)° at \(degrees)°, tipped by \(tip)°")
        }
      }
    }
  }

  // MARK: Without the database

  /// Their own frames: the opposite of gravity, for each part x right, y away from the user, z up when it lies flat.
  @Test(arguments: angles)
  func `a Chromebook without the hardware database measures its hinge`(degrees: Double) {
    let display = Self.sensor(.display, nil, name: "cros-ec-accel")
    let base = Self.sensor(.base, nil, name: "cros-ec-accel")
    let angle = degrees * .pi / 180
    let found = Self.measured(
      (display, Acceleration(x: 0, y: Self.g * sin(angle), z: -Self.g * cos(angle))),
      (base, Acceleration(x: 0, y: 0, z: Self.g)))
    #expect(Self.isSame(found, degrees), "\(found ?? -1)°")
  }

  /// HID sensors report gravity itself, so that their z is below zero while the screen faces up.
  @Test(arguments: angles)
  func `two HID sensors that udev locates measure their hinge`(degrees: Double) {
    let display = Self.sensor(.display, nil, name: "accel_3d", isLocatedByUdev: true)
    let base = Self.sensor(.base, nil, name: "accel_3d", isLocatedByUdev: true)
    let found = Self.measured(
      (display, Self.gravity(opened: degrees, tip: 0)), (base, Self.gravity(opened: 0, tip: 0)))
    #expect(Self.isSame(found, degrees), "\(found ?? -1)°")
  }

  @Test(
    arguments: [
      (.display, nil, "kxcjk1013", false, [1, 1, 1]), (.base, nil, "kxcjk1013", false, [1, -1, -1]),
      (.base, nil, "kxcjk1013", true, [1, 1, 1]), (.display, nil, "accel_3d", false, [1, 1, -1]),
      (.base, nil, "accel_3d", false, [1, -1, 1]), (.display, nil, "cros-ec-accel", false, [-1, -1, 1]),
      (.base, nil, "cros-ec-accel", false, [-1, 1, -1]),
      (.display, "1, 0, 0; 0, 1, 0; 0, 0, 1", "cros-ec-accel", false, [1, 1, 1]),
      (.base, "-1, 0, 0; 0, 1, 0; 0, 0, 1", "kxcjk1013", false, [1, 1, -1]),
    ] as [(AccelerometerCandidate.Place, String?, String, Bool, [Double])])
  func `each axis keeps or changes its sign`(
    place: AccelerometerCandidate.Place, matrix: String?, name: String, isLocated: Bool, signs: [Double]
  ) {
    let sensor = Self.sensor(place, matrix, name: name, isLocatedByUdev: isLocated)
    let mapped = HingeFrame(of: sensor)(Acceleration(x: 2, y: 3, z: 4))
    #expect([mapped.x, mapped.y, mapped.z] == [2 * signs[0], 3 * signs[1], 4 * signs[2]])
  }

  @Test(arguments: [(MountMatrixChoice.Origin.udev, true), (.kernel, false), (.settings, false)])
  func `only two matrices of udev can contradict each other`(
    origin: MountMatrixChoice.Origin, contradicts: Bool
  ) {
    let display = Self.sensor(.display, "1, 0, 0; 0, 1, 0; 0, 0, 1")
    let mirrored = Self.sensor(.base, "-1, 0, 0; 0, 1, 0; 0, 0, 1", from: origin)
    #expect(HingeFrame.areOfOppositeHandedness(display, mirrored) == contradicts)
    #expect(!HingeFrame.areOfOppositeHandedness(display, display))
  }

  @Test func `a matrix of the settings may mirror`() {
    let display = Self.sensor(.display, "-1, 0, 0; 0, -1, 0; 0, 0, 1", from: .settings)
    let base = Self.sensor(.base, "-1, 0, 0; 0, 1, 0; 0, 0, 1")
    #expect(!HingeFrame.areOfOppositeHandedness(display, base))
    for degrees in Self.angles {
      let raw = Chip(matrix: display.mount.matrix).raw(Self.gravity(opened: degrees, tip: 0))
      let found = Self.measured(
        (display, raw), (base, Chip(matrix: base.mount.matrix).raw(Self.gravity(opened: 0, tip: 0))))
      #expect(Self.isSame(found, degrees), "\(found ?? -1)° at \(degrees)°")
    }
  }
}
