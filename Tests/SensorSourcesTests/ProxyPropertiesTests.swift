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

  @Test(arguments: [
    ("AccelerometerOrientation", true), ("AccelerometerTilt", true), ("HasAccelerometer", false),
  ])
  func `a signal may contain an orientation`(name: String, contains: Bool) {
    #expect(ProxyProperties.containOrientation([name: .string("normal")]) == contains)
  }

  /// Whether the end of a failure must be polled for, and whether only an orientation shows it.
  @Test(arguments: [
    (Message.noProxy, false, false), (.noAccelerometerOfProxy, false, false),
    (.noSystemBus("none"), true, false),
    (.proxyRefuses("no"), true, true), (.proxyIsSilent, true, true),
    (.invalidProxyAnswer("none"), true, true),
  ])
  func `each failure has its end`(failure: Message, needsPolling: Bool, needsConfirmation: Bool) {
    #expect(failure.needsProxyPolling == needsPolling && failure.needsConfirmation == needsConfirmation)
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
