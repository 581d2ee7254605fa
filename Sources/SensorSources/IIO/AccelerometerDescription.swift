// SPDX-License-Identifier: MIT

package import Autorotation

/// What is known of the display's accelerometer without a reading.
nonisolated package struct AccelerometerDescription: Equatable, Sendable {
  package let name: String
  package let mountMatrix: MountMatrix
  /// Where the matrix comes from, for the person.
  package let mountMatrixSource: String

  /// `nil` if there is no accelerometer, or it cannot be used. Takes some milliseconds.
  /// - Parameter mountMatrix: instead of what udev and the kernel say.
  package init?(mountMatrix: MountMatrix?) {
    guard let sensor = try? OpenAccelerometer(.display, mountMatrix: mountMatrix) else { return nil }
    let identity = sensor.identity
    name = identity.title
    self.mountMatrix = identity.mount.matrix
    mountMatrixSource = identity.mount.source
  }
}
