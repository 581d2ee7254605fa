// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The kernel's hinge sensor (hid-sensor-custom-intel-hinge), ready to be read. Belongs to the thread that opened it.
///
/// Its firmware computes the angle between display and base, also while the device moves. Some answer 0 to a few reads in a
/// hundred, and now and then another wrong angle. So 0 is never used, and a jump is read again at once.
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
    do throws(AxisFault) {
      axis = try SensorAxis(angles[0], of: device)
    } catch {
      throw error.message(ofHinge: title)
    }
    self.title = title
    self.context = context
  }

  /// May block for as long as the hardware takes.
  /// - Returns: degrees from 0 to 360; `nil` if there is no usable one now.
  mutating func read() throws(Message) -> Double? {
    do throws(AxisFault) {
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
  private static let mostReads = 5
  /// Degrees. A hand folds a device by less between two reads in a row.
  private static let mostDifference = 30.0
  private var latest: Double?

  /// - Parameter read: degrees from 0 to 360.
  /// - Returns: `nil` if no two agree.
  mutating func next<Failure: Error>(_ read: () throws(Failure) -> Double) throws(Failure) -> Double? {
    for _ in 1...Self.mostReads {
      let angle = try read()
      guard angle != 0 else { continue }
      defer { latest = angle }
      if let latest, abs(remainder(angle - latest, 360)) <= Self.mostDifference { return angle }
    }
    return nil
  }
}
