// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct GyroscopeCalibrationTests {
  /// The four holds of `Calibration` with the turns between them.
  private static var motion: Motion {
    var motion = Motion(rate: 25, tilt: 10, seed: 5)
    motion.gyroscope = Gyroscope()
    motion.rest(2)
    motion.move(to: 85, tilt: 15, in: 1.5)
    motion.rest(2)
    motion.move(to: 184, tilt: 5, in: 2)
    motion.rest(2)
    motion.move(to: 180, tilt: 88, in: 1.2)
    motion.rest(2)
    return motion
  }

  /// Seconds at which each hold has been still for a while.
  private static let holds = [1.9, 5.4, 9.4, 12.6]

  private static func finding(
    _ motion: Motion = motion, by measure: (AngularRate) -> AngularRate? = { $0 }
  ) -> GyroscopeCalibration.Finding? {
    var calibration = GyroscopeCalibration()
    var due = holds[...]
    for (time, a, rate) in motion.samples {
      if let rate = rate.flatMap(measure) { calibration.add(rate, at: Instant(seconds: time)) }
      guard let next = due.first, time >= next else { continue }
      calibration.hold(a)
      due.removeFirst()
    }
    return calibration.finding(.identity)
  }

  @Test(arguments: MountMatrix.rotations)
  func eachWayToMountItIsFound(_ mount: MountMatrix) {
    let transposed = MountMatrix((0..<9).map { mount.elements[$0 % 3 * 3 + $0 / 3] })
    let found = Self.finding { rate in
      let raw = transposed?(Acceleration(x: rate.x, y: rate.y, z: rate.z))
      return raw.map { AngularRate(x: $0.x + 0.03, y: $0.y, z: $0.z - 0.03) }
    }
    #expect(found == .mounted(mount))
  }

  /// A mirrored accelerometer's axes are not the gyroscope's, since what turns has no mirror image.
  @Test func itMayBeMountedAsTheAccelerometerIs() throws {
    let quarter = try #require(MountMatrix(text: "0, -1, 0; 1, 0, 0; 0, 0, 1"))
    let mirrored = try #require(MountMatrix(text: "1, 0, 0; 0, -1, 0; 0, 0, 1"))
    let turned = try #require(MountMatrix(text: "-1, 0, 0; 0, 1, 0; 0, 0, -1"))
    #expect(GyroscopeCalibration.Finding.mounted(quarter).isAs(quarter))
    #expect(GyroscopeCalibration.Finding.mounted(turned).isAs(mirrored))
    #expect(!GyroscopeCalibration.Finding.mounted(quarter).isAs(.identity))
    #expect(!GyroscopeCalibration.Finding.useless.isAs(.identity))
  }

  @Test func thereAreTwentyFourWays() {
    #expect(Set(MountMatrix.rotations.map(\.text)).count == 24)
  }

  @Test func whatTellsNothingIsUseless() {
    #expect(Self.finding { _ in AngularRate(x: 0, y: 0, z: 0) } == .useless)
    #expect(Self.finding { AngularRate(x: $0.x * 2, y: $0.y * 2, z: $0.z * 2) } == .useless)
  }

  @Test func withoutAGyroscopeThereIsNothingToFind() {
    #expect(Self.finding { _ in nil } == nil)
  }
}
