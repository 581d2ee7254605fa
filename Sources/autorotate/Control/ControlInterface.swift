// SPDX-License-Identifier: MIT

import System

/// The names under which the daemon is found on the session bus. Members and types are in
/// `ControlService`, and for others in `packaging/dbus/org.autorotate.Autorotate1.xml`.
enum ControlInterface {
  static let name = "org.autorotate.Autorotate1"
  static let path = "/org/autorotate/Autorotate1"
  static let target = BusTarget(service: name, path: path, interface: name)

  enum ErrorName {
    static let invalidOrientation = "org.autorotate.Error.InvalidOrientation"
    static let noSuchRequest = "org.autorotate.Error.NoSuchRequest"
    static let refused = "org.autorotate.Error.Refused"
    static let tooManyRequests = "org.autorotate.Error.TooManyRequests"
  }
}
