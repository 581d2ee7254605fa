// SPDX-License-Identifier: MIT

/// How much of the accelerometer is needed now: nothing, enough to notice a movement, or enough to
/// follow one. UIKit's begin/endGeneratingDeviceOrientationNotifications, with a gear between.
package enum SensorDemand: Equatable, Sendable {
  case off, resting, following
}
