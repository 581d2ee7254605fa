// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The properties of iio-sensor-proxy, as far as they can be understood.
nonisolated struct ProxyProperties: Equatable {
  /// `nil` if it does not say.
  private(set) var hasAccelerometer: Bool?
  private var orientationWord: String?
  private var tiltWord: String?

  init(_ values: [String: Value] = [:]) {
    take(values)
  }

  /// Updates those that have changed. One of a wrong type is ignored.
  mutating func take(_ values: [String: Value]) {
    if let value = values["HasAccelerometer"] { hasAccelerometer = try? value.read() }
    if let value = values["AccelerometerOrientation"] { orientationWord = try? value.read() }
    if let value = values["AccelerometerTilt"] { tiltWord = try? value.read() }
  }

  static func speakOfOrientation(_ values: [String: Value]) -> Bool {
    values["AccelerometerOrientation"] != nil || values["AccelerometerTilt"] != nil
  }

  /// Whether there is an orientation to speak of, be it "undefined".
  var isComplete: Bool { hasAccelerometer == true && orientationWord != nil }

  /// Since 3.6, which brought the tilt, a claim is answered after the first reading. Before, the
  /// value of the last claim stays for 0.7 s.
  var isFreshAfterClaim: Bool { tiltWord != nil }

  /// `nil` where it is undefined.
  var orientation: DeviceOrientation? {
    tiltWord.flatMap(DeviceOrientation.init(tilt:)) ?? orientationWord.flatMap(DeviceOrientation.init(proxy:))
  }
}

nonisolated extension DeviceOrientation {
  fileprivate init?(proxy word: String) {
    switch word {
    case "normal": self = .normal
    case "left-up": self = .leftUp
    case "bottom-up": self = .bottomUp
    case "right-up": self = .rightUp
    default: return nil
    }
  }

  /// The tilts that leave it open which edge is up: within 20° of flat.
  fileprivate init?(tilt word: String) {
    switch word {
    case "face-up": self = .faceUp
    case "face-down": self = .faceDown
    default: return nil
    }
  }
}
