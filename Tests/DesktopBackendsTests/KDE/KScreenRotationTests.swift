// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

@testable import DesktopBackends

/// Plasma 5, where KScreen's module in kded5 turns the picture.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct KScreenRotationTests {
  /// kded5, with KScreen's module or without.
  @MainActor final class FakeDaemon {
    var isAvailable = true
    var turns = true
    private let bus: Bus
    private var exported: ExportedInterface?

    init(on privateBus: PrivateBus, hasModule: Bool = true) throws {
      bus = try privateBus.connect()
      let answer = BusArgument("", "b")
      let methods = [
        BusMethod("isAutoRotateAvailable", returns: [answer]) { [unowned self] _ in [.bool(isAvailable)] },
        BusMethod("getAutoRotate", returns: [answer]) { [unowned self] _ in [.bool(turns)] },
        BusMethod("setAutoRotate", takes: [BusArgument("value", "b")]) { [unowned self] call in
          turns = try call.arguments.read(0, as: Bool.self)
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

  @Test func tellsOfItsSwitchWhenItComesAndGoes() throws {
    let bus = try PrivateBus()
    let own = try bus.connect()
    var told: [KWinRotationPolicy?] = []
    let rotation = try KScreenRotation(own) { told.append($0) }
    #expect(try bus.run { told.last == .some(nil) })
    let daemon = try FakeDaemon(on: bus)
    #expect(try bus.run { told.last == .inTabletMode })
    daemon.turns = false
    rotation.ask()
    #expect(try bus.run { told.last == .never })
    daemon.isAvailable = false
    rotation.ask()
    #expect(try bus.run { told.last == .some(nil) })
    daemon.end()
    told = []
    #expect(try bus.run { told.last == .some(nil) })
    rotation.stop()
  }

  @Test func setsItAndTellsWhatBecameOfThat() throws {
    let bus = try PrivateBus()
    let own = try bus.connect()
    let daemon = try FakeDaemon(on: bus)
    var told: [KWinRotationPolicy?] = []
    let rotation = try KScreenRotation(own) { told.append($0) }
    #expect(try bus.run { told.last == .inTabletMode })
    rotation.set(.never)
    #expect(try bus.run { told.last == .never && !daemon.turns })
    rotation.set(.inTabletMode)
    #expect(try bus.run { told.last == .inTabletMode && daemon.turns })
    rotation.stop()
  }

  @Test func aDaemonWithoutThatModuleDoesNotTurn() throws {
    let bus = try PrivateBus()
    let own = try bus.connect()
    let daemon = try FakeDaemon(on: bus, hasModule: false)
    var told: [KWinRotationPolicy?] = []
    let rotation = try KScreenRotation(own) { told.append($0) }
    #expect(try bus.run { told.last == .some(nil) })
    rotation.stop()
    daemon.end()
  }
}
