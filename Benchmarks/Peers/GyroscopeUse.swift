// SPDX-License-Identifier: MIT

package import Autorotation

extension OrientationClassifier {
  /// Whether the gyroscope is used, and why not.
  package enum GyroscopeUse: String, Sendable {
    /// There is no rate.
    case absent
    /// It has not proved itself, or contradicts the accelerometer in motion.
    case unproven
    /// Its rates predicted a wrong direction of gravity after a rotation.
    case contradicted
    /// It is trusted, but the device is carried.
    case carried
    case used
  }

  package var gyroscopeUse: GyroscopeUse {
    if !hasRate { return .absent }
    if gyroscopeTrust.isContradicted { return .contradicted }
    if !gyroscopeTrust.isTrusted { return .unproven }
    return isCarried ? .carried : .used
  }
}
