// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

@testable import DesktopBackends

/// Plasma 5, where KScreen's module in kded5 rotates the screen.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct KScreenRotationTests {
  /// kded5, with or without KScreen's module.
  @MainActor final class FakeDaemon {
    var isAvailable = true
    var isOn: Bool
    private let bus: Bus
    private var exported: ExportedInterface?

    init(on privateBus: PrivateBus, hasModule: Bool = true, isOn initially: Bool = true) throws {
      isOn = initially
      bus = try privateBus.connect()
      let answer = BusArgument("", "b")
      let methods = [
        BusMethod("isAutoRotateAvailable", returns: [answer]) { [unowned self] _ in [.bool(isAvailable)] },
        BusMethod("getAutoRotate", returns: [answer]) { [unowned self] _ in [.bool(isOn)] },
        BusMethod("setAutoRotate", takes: [BusArgument("value", "b")]) { [unowned self] call in
          isOn = try call.arguments.read(0, as: Bool.self)
          return []
        },
      ]
      if hasModule {
        let interface = BusInterface(name: KScreenRotation.target.interface, methods: methods)
        exported = try bus.export(interface, at: KScreenRotation.target.path)
      }
      _ = try bus.requestName(KScreenRotation.target.service)
    }

    func end() { bus.close() }
  }

  @Test func `the switch is reported when kded starts and ends`() throws {
    let bus = try PrivateBus()
    let own = try bus.connect()
    var reports: [KWinRotationPolicy?] = []
    let rotation = try KScreenRotation(own) { reports.append($0) }
    #expect(try bus.run { reports.last == .some(nil) })
    let daemon = try FakeDaemon(on: bus)
    #expect(try bus.run { reports.last == .inTabletMode })
    daemon.isOn = false
    rotation.ask()
    #expect(try bus.run { reports.last == .never })
    daemon.isAvailable = false
    rotation.ask()
    #expect(try bus.run { reports.last == .some(nil) })
    daemon.end()
    reports = []
    #expect(try bus.run { reports.last == .some(nil) })
    withExtendedLifetime(rotation) {}
  }

  @Test func `setting the switch reports its new value`() throws {
    let bus = try PrivateBus()
    let own = try bus.connect()
    let daemon = try FakeDaemon(on: bus)
    var reports: [KWinRotationPolicy?] = []
    let rotation = try KScreenRotation(own) { reports.append($0) }
    #expect(try bus.run { reports.last == .inTabletMode })
    rotation.set(.never) { #expect($0) }
    #expect(try bus.run { reports.last == .never && !daemon.isOn })
    rotation.set(.inTabletMode) { #expect($0) }
    #expect(try bus.run { reports.last == .inTabletMode && daemon.isOn })
    withExtendedLifetime(rotation) {}
  }

  @Test func `kded without the module does not rotate`() throws {
    let bus = try PrivateBus()
    let own = try bus.connect()
    let daemon = try FakeDaemon(on: bus, hasModule: false)
    var reports: [KWinRotationPolicy?] = []
    let rotation = try KScreenRotation(own) { reports.append($0) }
    #expect(try bus.run { reports.last == .some(nil) })
    withExtendedLifetime(rotation) {}
    daemon.end()
  }
}
