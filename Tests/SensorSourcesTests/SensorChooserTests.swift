// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

struct SensorChooserTests {
  typealias Event = SensorChooser.Event
  typealias Outcome = SensorChooser.Outcome

  private static let busy = Message.unreadable("accel", code: 16)
  private static let broken = Message.unreadable("accel", code: 5)
  private static let refused = Message.proxyRefuses("no")

  struct Row: Sendable {
    var events: [Event]
    var outcome: Outcome
    var runsAccelerometer: Bool
    var role: SensorChooser.ProxyRole
  }

  private static let rows = [
    Row(events: [], outcome: .undecided, runsAccelerometer: true, role: .stopped),
    Row(
      events: [.accelerometerFound(name: "accel")], outcome: .accelerometer(name: "accel"),
      runsAccelerometer: true,
      role: .stopped),
    Row(events: [.accelerometerLost(busy)], outcome: .undecided, runsAccelerometer: true, role: .watched),
    Row(
      events: [.accelerometerLost(busy), .proxyFound], outcome: .proxy(busy), runsAccelerometer: false,
      role: .claimed),
    Row(
      events: [.accelerometerLost(.noAccelerometer), .proxyFound], outcome: .proxy(.noAccelerometer),
      runsAccelerometer: false, role: .claimed),
    // Neither works: both retry.
    Row(
      events: [.accelerometerLost(.noAccelerometer), .proxyLost(.noProxy)],
      outcome: .noSensor(Message.noAccelerometer),
      runsAccelerometer: true, role: .claimed),
    Row(
      events: [.accelerometerLost(busy), .proxyLost(refused)], outcome: .noSensor(refused),
      runsAccelerometer: true,
      role: .claimed),
    Row(
      events: [.accelerometerLost(broken), .proxyLost(refused)], outcome: .noSensor(broken),
      runsAccelerometer: true,
      role: .claimed),
    Row(
      events: [.accelerometerLost(.noAccelerometer), .proxyLost(.noProxy), .proxyFound],
      outcome: .proxy(.noAccelerometer),
      runsAccelerometer: false,
      role: .claimed),
    Row(
      events: [.accelerometerLost(.noAccelerometer), .proxyLost(.noProxy), .accelerometerFound(name: "a")],
      outcome: .accelerometer(name: "a"),
      runsAccelerometer: true, role: .stopped),
    // A retry, with the claim released meanwhile.
    Row(
      events: [.accelerometerLost(busy), .proxyFound, .retry], outcome: .undecided, runsAccelerometer: true,
      role: .watched),
    Row(
      events: [.accelerometerLost(busy), .proxyFound, .retry, .accelerometerLost(busy)],
      outcome: .proxy(busy),
      runsAccelerometer: false,
      role: .claimed),
    Row(
      events: [.accelerometerLost(busy), .proxyFound, .retry, .timedOut], outcome: .proxy(busy),
      runsAccelerometer: false,
      role: .claimed),
    Row(
      events: [.accelerometerLost(busy), .proxyFound, .retry, .accelerometerFound(name: "a")],
      outcome: .accelerometer(name: "a"),
      runsAccelerometer: true, role: .stopped),
    Row(
      events: [
        .accelerometerLost(busy), .proxyFound, .retry, .proxyLost(.noProxy), .accelerometerLost(busy),
      ],
      outcome: .noSensor(busy), runsAccelerometer: true, role: .claimed),
    // The proxy goes: the accelerometer is retried before anything is reported.
    Row(
      events: [.accelerometerLost(busy), .proxyFound, .proxyLost(.noProxy)], outcome: .undecided,
      runsAccelerometer: true,
      role: .watched),
    Row(
      events: [.accelerometerLost(busy), .proxyFound, .proxyLost(.noProxy), .accelerometerFound(name: "a")],
      outcome: .accelerometer(name: "a"), runsAccelerometer: true, role: .stopped),
    Row(
      events: [.accelerometerLost(busy), .proxyFound, .proxyLost(.noProxy), .accelerometerLost(busy)],
      outcome: .noSensor(busy),
      runsAccelerometer: true, role: .claimed),
    // Late or unexpected events.
    Row(
      events: [.accelerometerFound(name: "a"), .proxyFound, .proxyLost(.noProxy), .retry, .timedOut],
      outcome: .accelerometer(name: "a"), runsAccelerometer: true, role: .stopped),
    Row(
      events: [.accelerometerFound(name: "a"), .accelerometerLost(broken), .proxyFound],
      outcome: .proxy(broken),
      runsAccelerometer: false,
      role: .claimed),
  ]

  @Test(arguments: rows)
  func `events lead to the expected choice`(row: Row) {
    var chooser = SensorChooser()
    row.events.forEach { chooser.handle($0) }
    #expect(chooser.outcome == row.outcome)
    #expect(chooser.runsAccelerometer == row.runsAccelerometer)
    #expect(chooser.proxyRole == row.role)
  }

  /// For all sequences of events: both run together only while neither works.
  @Test func `both run only while neither works`() {
    let events: [Event] = [
      .accelerometerFound(name: "a"), .accelerometerLost(Self.busy), .accelerometerLost(.noAccelerometer),
      .proxyFound, .proxyLost(.noProxy),
      .proxyLost(Self.refused),
      .retry, .timedOut,
    ]
    var seen: [SensorChooser] = [SensorChooser()]
    var next = 0
    while next < seen.count {
      for event in events {
        var chooser = seen[next]
        chooser.handle(event)
        if chooser.runsAccelerometer, chooser.proxyRole == .claimed {
          guard case .noSensor = chooser.outcome else {
            Issue.record("both run in \(chooser)")
            continue
          }
        }
        if !chooser.runsAccelerometer { #expect(chooser.proxyRole == .claimed) }
        if !seen.contains(chooser) { seen.append(chooser) }
      }
      next += 1
    }
    #expect(seen.count > 10)
  }
}
