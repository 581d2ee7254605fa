// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The kernel's hinge sensor (hid-sensor-custom-intel-hinge), ready to be read. Belongs to the thread that opened it.
///
/// Its firmware computes the angle between display and base, also while the device moves. Some answer 0 to a few reads
/// in a hundred, and now and then another wrong angle. So 0 is never used, and a jump is read again at once. The
/// kernel, too, answers 0, if a hub has not answered within 5 s (hid-sensor-hub.c), so a sensor that is slow too often
/// is given up: the accelerometer waits meanwhile.
nonisolated struct HingeSensor {
  /// Shown to the user: "hinge (iio:device3)".
  let title: String
  private let axis: SensorAxis
  private var filter = HingeJumpFilter()
  /// Keeps the axis valid.
  private let context: IIOContext

  /// - Returns: `nil` if the kernel has none.
  /// - Throws: why it cannot be used.
  init?(of context: IIOContext) throws(Message) {
    guard let device = context.hinge else { return nil }
    let (title, angles) = (device.candidate.title, device.hingeAngles)
    guard angles.count == 1 else { throw .unlabelledHinge(title, count: angles.count) }
    let axis = Result { () throws(AxisFault) in try SensorAxis(angles[0], of: device) }
    self.axis = try axis.mapError { $0.message(ofHinge: title) }.get()
    self.title = title
    self.context = context
  }

  /// May block for as long as the hardware takes.
  /// - Returns: degrees from 0 to 360; `nil` if there is no usable one now.
  mutating func read() throws(Message) -> Double? {
    do throws(AxisFault) {
      guard !filter.isTooSlow else { throw .unreadable(ETIMEDOUT) }
      return try filter.next { () throws(AxisFault) in
        let degrees = try axis.read() * 180 / .pi
        guard (0...360.5).contains(degrees) else {
          throw .invalidValue("\(degrees.text(decimals: 0))°", attribute: "angle")
        }
        return degrees
      }
    } catch {
      throw error.message(ofHinge: title)
    }
  }
}

/// Accepts an angle once two reads in a row agree.
nonisolated struct HingeJumpFilter {
  /// Enough for two usable answers in all but ten of a million jumps, if 3.7 % are 0.
  private static let maximumReads = 5
  /// Degrees. A hand folds a device by less between two reads in a row.
  private static let maximumDifference = 30.0

  private var latest: Double?
  private var slowReads = 0

  var isTooSlow: Bool { slowReads >= ReadingHealth.failuresUntilLost }

  /// - Parameters:
  ///   - clock: nanoseconds.
  ///   - read: degrees from 0 to 360.
  /// - Returns: `nil` if no two agree.
  mutating func next<Failure: Error>(
    clock: () -> Int64 = { EventLoop.now }, _ read: () throws(Failure) -> Double
  ) throws(Failure) -> Double? {
    for _ in 1...Self.maximumReads {
      let begun = clock()
      let angle = try read()
      let isSlow = clock() - begun > ReadingHealth.maximumReadTime
      if isSlow { slowReads += 1 }
      if angle != 0 {
        defer { latest = angle }
        if let latest, abs(remainder(angle - latest, 360)) <= Self.maximumDifference { return angle }
      }
      if isSlow { return nil }
    }
    return nil
  }
}
