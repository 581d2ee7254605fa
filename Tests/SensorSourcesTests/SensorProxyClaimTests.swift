// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing

@testable import SensorSources

/// What a claim leaves behind.
extension SensorProxySourceTests {
  @Test func `a claim that is pending at the proxy's end does not stop the next`() throws {
    let first = try modernProxy()
    first.answer = .never
    source.demand(.resting)
    try expect("the claim") { first.claims == 1 }
    first.end()
    try expect("the loss") { source.failure == .noProxy }
    let second = try modernProxy()
    second.orientation = .string("left-up")
    try expect("the orientation of the next") { log.orientations == [.leftUp] }
  }

  @Test func `a refusal ends with the proxy that refused`() throws {
    let first = try modernProxy()
    first.answer = .refused
    source.demand(.resting)
    try expect("the refusal") { source.failure?.code == .sensorRefused }
    source.demand(.off)
    first.end()
    try expect("the loss") { source.failure == .noProxy }
    let finds = log.finds
    let second = try modernProxy()
    try expect("the next") { log.finds == finds + 1 }
    #expect(source.failure == nil && second.claims == 0)
  }

  @Test func `each claim reports the orientation again`() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("left-up")
    source.demand(.resting)
    try expect("the orientation") { log.orientations == [.leftUp] }
    source.demand(.off)
    try expect("the release") { !proxy.isClaimed }
    source.demand(.resting)
    try expect("the orientation again") { log.orientations == [.leftUp, .leftUp] }
  }

  @Test func `a refusal is repeated if its reason changes`() throws {
    let proxy = try modernProxy()
    proxy.answer = .refused
    source.demand(.resting)
    try expect("the refusal") { source.failure?.code == .sensorRefused }
    let losses = log.losses.count
    try proxy.sendPresence(false)
    try expect("another reason") { source.failure == .noAccelerometerOfProxy }
    #expect(log.losses.count == losses + 1)
  }
}

extension SensorProxySource {
  /// The reason of the last `sensorLost`; `nil` while there is a sensor.
  var failure: Message? { if case .lost(let failure) = presence { failure } else { nil } }
}
