// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import SensorSources

struct ProxyPropertiesTests {
  @Test(arguments: [
    ("normal", DeviceOrientation.normal), ("left-up", .leftUp), ("bottom-up", .bottomUp),
    ("right-up", .rightUp),
    ("undefined", nil), ("", nil), ("sideways", nil),
  ])
  func `orientations are read`(text: String, orientation: DeviceOrientation?) {
    let properties = ProxyProperties(["AccelerometerOrientation": .string(text)])
    #expect(properties.orientation == orientation)
  }

  @Test(arguments: [
    ("face-up", DeviceOrientation.faceUp), ("face-down", .faceDown), ("vertical", .leftUp),
    ("tilted-up", .leftUp),
    ("tilted-down", .leftUp), ("undefined", .leftUp), ("sideways", .leftUp),
  ])
  func `the tilt overrides the orientation when flat`(tilt: String, orientation: DeviceOrientation) {
    let properties = ProxyProperties([
      "AccelerometerOrientation": .string("left-up"), "AccelerometerTilt": .string(tilt),
    ])
    #expect(properties.orientation == orientation)
    #expect(properties.isFreshAfterClaim)
  }

  @Test(arguments: [
    Value.int32(1), .double(.nan), .string("yes"), .strings(["normal"]), .dictionary([:]),
    .structure([.bool(true)]),
  ])
  func `values of wrong types are ignored`(value: Value) {
    var properties = ProxyProperties(["HasAccelerometer": .bool(true)])
    properties.update(with: ["HasAccelerometer": value, "AccelerometerTilt": value])
    #expect(properties.hasAccelerometer == nil)
    #expect(properties.orientation == nil)
    #expect(!properties.isComplete)
  }

  @Test func `unchanged properties stay`() {
    var properties = ProxyProperties([
      "HasAccelerometer": .bool(true), "AccelerometerOrientation": .string("normal"),
    ])
    properties.update(with: ["AmbientLight": .double(3)])
    #expect(properties.isComplete)
    #expect(properties.orientation == .normal)
  }
}
