// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import PrivateBus
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// Muffin, which has Mutter's interface under a name of its own, and Cinnamon's settings.
@Suite("Cinnamon", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct CinnamonTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func program(lock value: String) throws -> String {
    try directory.write(value + "\n", to: "value")
    return try directory.writeSettingsProgram(
      of: "org.cinnamon.settings-daemon.peripherals.touchscreen orientation-lock",
      set: "echo \"$4\" > DIR/value")
  }

  private var lock: String { SystemFile.line(of: directory["value"]) ?? "" }

  private func fixture(takesOver: Bool = false, lock value: String = "true") throws -> GNOMEFixture {
    try GNOMEFixture(
      .cinnamon, settings: DisplaySettings(takesOver: takesOver), settingsProgram: program(lock: value),
      directory: directory)
  }

  @Test(arguments: DisplayTransform.allCases)
  func `a rotation moves the neighbour to stay adjacent`(_ transform: DisplayTransform) throws {
    let cinnamon = try fixture()
    try cinnamon.rotate(to: transform).get()
    #expect(cinnamon.mutter.places[0].transform == UInt32(transform.rawValue))
    #expect(cinnamon.mutter.places[1].x == (transform.swapsSides ? 1080 : 1920))
    #expect(cinnamon.backend.name == "Cinnamon" && cinnamon.notes.isEmpty)
  }

  @Test func `a Muffin that ends during a rotation is reported`() throws {
    let cinnamon = try fixture()
    cinnamon.mutter.applyAnswer = .never
    var result: Result<Void, Message>?
    cinnamon.backend.apply(.rotated90, to: "eDP-1") { result = $0 }
    try cinnamon.until("the call") { cinnamon.mutter.applied.count == 1 }
    cinnamon.mutter.end()
    try cinnamon.until("both ends") { result != nil && cinnamon.ends == ["Cinnamon has ended"] }
    guard case .failure(let failure) = result else {
      Issue.record("it has not failed")
      return
    }
    #expect(failure.description.contains("Cinnamon"))
  }

  @Test func `the backend ends at once without Muffin`() throws {
    let bus = try PrivateBus()
    _ = try FakeMutter(on: bus, places: GNOMEFixture.besideEachOther)
    let backend = try GNOMEBackend(.cinnamon, loop: bus.loop, bus: .at(address: bus.address))
    var ends: [String] = []
    try backend.start(report: { Issue.record("reported \($0)") }, gone: { ends.append($0.description) })
    #expect(try bus.run { !ends.isEmpty })
    #expect(ends[0].contains("org.cinnamon.Muffin.DisplayConfig"))
    backend.stop()
  }

  /// `ShellRotation` reports it.
  @Test func `the backend leaves the lock alone without a take-over`() throws {
    let cinnamon = try fixture(lock: "false")
    try cinnamon.awaitOutputs()
    try cinnamon.bus.deliver()
    #expect(cinnamon.desktopRotates == nil)
    var isKept: Bool?
    cinnamon.backend.askWhetherOrientationIsKept { isKept = $0 }
    try cinnamon.until("the answer") { isKept == false }
    #expect(lock == "false")
  }

  @Test func `a take-over switches the lock on and off again`() throws {
    let cinnamon = try fixture(takesOver: true, lock: "false")
    try cinnamon.until("the take-over") { lock == "true" && cinnamon.desktopRotates == .some(nil) }
    cinnamon.backend.use(DisplaySettings(takesOver: false))
    try cinnamon.until("the end of it") { lock == "false" }
    cinnamon.backend.use(DisplaySettings(takesOver: true))
    try cinnamon.until("the second take-over") { lock == "true" }
    cinnamon.backend.stop()
    #expect(lock == "false")
  }

  @Test func `a lock that the user switches off returns the rotation`() throws {
    let cinnamon = try fixture(takesOver: true)
    try cinnamon.until("the take-over") { cinnamon.desktopRotates == .some(nil) }
    let dconf = try FakeDConf(on: cinnamon.bus)
    try cinnamon.bus.deliver()
    try directory.write("false\n", to: "value")
    try dconf.emitChange(of: "org.cinnamon.settings-daemon.peripherals.touchscreen")
    try cinnamon.until("the reason") {
      cinnamon.desktopRotates == .some(MutterDesktop.cinnamon.returnedRotation)
    }
    // `ShellRotation` has reported the lock, and does not repeat it.
    cinnamon.backend.use(DisplaySettings(takesOver: false))
    try cinnamon.bus.deliver()
    #expect(cinnamon.desktopRotates != .some(nil) && lock == "false")
    cinnamon.backend.use(DisplaySettings(takesOver: true))
    try cinnamon.until("the second take-over") {
      lock == "true" && cinnamon.desktopRotates == .some(nil)
    }
  }

  @Test func `Cinnamon's own touchpad setting is used`() throws {
    #expect(MutterDesktop.cinnamon.touchpadSchema == "org.cinnamon.desktop.peripherals.touchpad")
    #expect(MutterDesktop.gnome.touchpadSchema == "org.gnome.desktop.peripherals.touchpad")
  }
}
