// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// KWin's own rotation of the panel, which is left alone or switched off.
@Suite("KWin's own rotation", .serialized)
@MainActor
struct KWinOwnRotationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var kept: String? { SystemFile.text(of: directory["autorotate/kwin-rotation"], maximumBytes: 4096) }

  private func start(_ kwin: Fake, takesOver: Bool = false) throws -> Running<KDEBackend> {
    try Running(
      kwin, bus: nil, settings: DisplaySettings(takesOver: takesOver), state: directory.path)
  }

  /// Returns when the backend has received what KWin has sent so far.
  private func receiveAll(_ running: Running<KDEBackend>, _ kwin: Fake) throws {
    let isActive = running.outputs[1].isActive
    kwin.run("kwin set HDMI-A-1 enabled \(isActive ? 0 : 1)")
    try running.wait("a later event") { running.outputs[1].isActive != isActive }
  }

  /// After taking over from the policy `always`.
  /// - Parameter answers: of KWin, to each change.
  private func takenOver(_ answers: String? = nil) throws -> (Fake, Running<KDEBackend>) {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 policy 2")
    if let answers { kwin.run("answer \(answers)") }
    let running = try start(kwin, takesOver: true)
    try running.wait("the take-over") { kept == "eDP-1 always\n" && kwin.applies == 1 }
    try receiveAll(running, kwin)
    return (kwin, running)
  }

  /// After the end: the backend's loop does not run again.
  private func wait(_ what: String, until condition: () throws -> Bool) throws {
    try EventLoop().wait(for: what, until: condition)
  }

  private func policies(_ kwin: Fake) -> [String] { kwin.log.filter { $0.hasPrefix("policy") } }

  @Test(arguments: [KWinRotationPolicy.inTabletMode, .always])
  func `the panel's policy is reported`(policy: KWinRotationPolicy) throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 policy \(policy.rawValue)")
    let running = try start(kwin)
    try running.wait("the reason") { running.desktopRotates == .some(policy.message) }
    kwin.run("kwin set eDP-1 policy 0")
    try running.wait("the end of it") { running.desktopRotates == .some(nil) }
    #expect(policies(kwin).isEmpty && kept == nil)
  }

  @Test func `policies of other outputs are ignored`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin output eDP-2 1280 800 5000 0")
    for name in ["HDMI-A-1", "eDP-2"] { kwin.run("kwin set \(name) policy 2") }
    let running = try start(kwin, takesOver: true)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(running.desktopRotates == nil && policies(kwin).isEmpty)
  }

  @Test func `a take-over lasts until the end`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 policy 1")
    let running = try start(kwin, takesOver: true)
    try running.wait("the take-over") { policies(kwin) == ["policy eDP-1 0"] }
    try running.rotate("eDP-1", .rotated90).get()
    #expect(kept == "eDP-1 in-tablet-mode\n" && running.desktopRotates == nil)
    running.backend.stop()
    try wait("the end of it") { policies(kwin) == ["policy eDP-1 0", "policy eDP-1 1"] }
  }

  /// The backend waits for KWin for half a second, which a busy machine may exceed, but not always.
  @Test func `a policy restored at the end is forgotten`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 policy 1")
    for attempt in 1...10 {
      let running = try start(kwin, takesOver: true)
      try running.wait("the take-over") { kept != nil && kwin.applies == 2 * attempt - 1 }
      try receiveAll(running, kwin)
      running.backend.stop()
      if kept == nil { return }
      try wait("the late answer") { kwin.applies == 2 * attempt }
    }
    Issue.record("it is still kept")
  }

  @Test func `a policy that cannot be restored stays recorded`() throws {
    let (kwin, running) = try takenOver("succeed fail")
    running.backend.stop()
    try wait("the refusal") { kwin.applies == 2 }
    #expect(kept == "eDP-1 always\n")
  }

  @Test func `a compositor that has ended keeps the record`() throws {
    let (kwin, running) = try takenOver()
    kwin.stop()
    try running.wait("the end") { !running.gone.isEmpty }
    running.backend.stop()
    #expect(kept == "eDP-1 always\n")
  }

  @Test func `a take-over switched off restores the policy`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 policy 2")
    let running = try start(kwin, takesOver: true)
    try running.wait("the take-over") { policies(kwin) == ["policy eDP-1 0"] }
    running.backend.use(DisplaySettings())
    try running.wait("the restoring") { policies(kwin) == ["policy eDP-1 0", "policy eDP-1 2"] }
    try running.wait("the reason") { running.desktopRotates == .some(KWinRotationPolicy.always.message) }
    #expect(kept == nil)
    running.backend.use(DisplaySettings(takesOver: true))
    try running.wait("the next take-over") {
      policies(kwin).count == 3 && running.desktopRotates == .some(nil)
    }
    #expect(kept == "eDP-1 always\n")
  }

  @Test func `a refused restoring is repeated at the end`() throws {
    let (kwin, running) = try takenOver("succeed fail succeed")
    running.backend.use(DisplaySettings())
    try running.wait("the refusal") { running.notes.sentences.contains { $0.hasPrefix("KWin refused") } }
    try receiveAll(running, kwin)
    #expect(kept == "eDP-1 always\n" && kwin.applies == 2)
    running.backend.stop()
    try wait("the restoring") { kwin.applies == 3 }
  }

  @Test func `a policy kept by a killed run is restored`() throws {
    try directory.write("eDP-1 always\n", to: "autorotate/kwin-rotation")
    let kwin = try Fake.kwin()
    let running = try start(kwin)
    try running.wait("the restoring") { policies(kwin) == ["policy eDP-1 2"] }
    try running.wait("the reason") { running.desktopRotates == .some(KWinRotationPolicy.always.message) }
    #expect(kept == nil)
  }

  @Test func `a take-over keeps what a killed run kept`() throws {
    try directory.write("eDP-1 always\n", to: "autorotate/kwin-rotation")
    let kwin = try Fake.kwin()
    let running = try start(kwin, takesOver: true)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(policies(kwin).isEmpty && kept == "eDP-1 always\n")
    // Switched on by the user: the newer value is kept.
    kwin.run("kwin set eDP-1 policy 1")
    try running.wait("the take-over") { policies(kwin) == ["policy eDP-1 0"] }
    #expect(kept == "eDP-1 in-tablet-mode\n")
  }

  @Test func `a refused take-over is noted once`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 policy 1")
    kwin.run("answer fail succeed")
    let running = try start(kwin, takesOver: true)
    try running.wait("the reason") {
      running.desktopRotates == .some(KWinRotationPolicy.inTabletMode.message)
    }
    kwin.run("kwin set eDP-1 policy 2")
    try running.wait("the other reason") {
      running.desktopRotates == .some(KWinRotationPolicy.always.message)
    }
    let refusal = "KWin refused to switch its own rotation of eDP-1"
    let refusals = { running.notes.sentences.filter { $0.hasPrefix(refusal) } }
    #expect(policies(kwin) == ["policy eDP-1 0"] && refusals().count == 1)
    // The setting is tried again after it was changed.
    running.backend.use(DisplaySettings(takesOver: true))
    running.backend.use(DisplaySettings(takesOver: false))
    running.backend.use(DisplaySettings(takesOver: true))
    try running.wait("the take-over") { policies(kwin).count == 2 && running.desktopRotates == .some(nil) }
    #expect(refusals().count == 1)
  }

  @Test func `a record that cannot be written is noted`() throws {
    try directory.write("a file\n", to: "autorotate")
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 policy 1")
    let running = try start(kwin, takesOver: true)
    try running.wait("the take-over") { kwin.applies == 1 }
    #expect(policies(kwin) == ["policy eDP-1 0"])
    #expect(running.notes.sentences.contains { $0.contains("cannot be saved in XDG_STATE_HOME") })
    try receiveAll(running, kwin)
    running.backend.stop()
    try wait("the end of it") { policies(kwin).last == "policy eDP-1 1" }
  }

  @Test func `another chosen output has its own policy`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin output eDP-2 1280 800 5000 32")
    kwin.run("kwin set eDP-2 policy 2")
    let running = try start(kwin)
    try running.rotate("eDP-1", .rotated90).get()
    var settings = DisplaySettings()
    settings.output = "eDP-2"
    running.backend.use(settings)
    try running.wait("the reason") { running.desktopRotates == .some(KWinRotationPolicy.always.message) }
    settings.output = "eDP-1"
    running.backend.use(settings)
    try running.wait("the end of it") { running.desktopRotates == .some(nil) }
  }
}

extension KWinOwnRotationTests {
  /// Plasma 5, whose outputs have no policy.
  @Suite("KScreen's switch", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
  @MainActor
  struct KScreen {
    private let directory: TemporaryDirectory
    private let bus: PrivateBus
    private let daemon: KScreenRotationTests.FakeDaemon

    init() throws {
      directory = try TemporaryDirectory()
      bus = try PrivateBus()
      daemon = try KScreenRotationTests.FakeDaemon(on: bus)
    }

    private var kept: String? {
      SystemFile.text(of: directory["autorotate/kwin-rotation"], maximumBytes: 4096)
    }

    private func start(_ kwin: Fake, takesOver: Bool) throws -> Running<KDEBackend> {
      try Running(
        kwin, bus: .at(address: bus.address), settings: DisplaySettings(takesOver: takesOver),
        state: directory.path)
    }

    /// Two loops: of the backend, and of the fake daemon.
    private func wait(
      _ running: Running<KDEBackend>, _ what: String, until condition: () throws -> Bool
    ) throws {
      try running.wait(what) {
        try bus.runPending()
        return try condition()
      }
    }

    @Test func `the switch of kded is reported`() throws {
      let running = try start(Fake.kwin(.plasma5), takesOver: false)
      let reason = KWinRotationPolicy.inTabletMode.message
      try wait(running, "the reason") { running.desktopRotates == .some(reason) }
      #expect(daemon.isOn && kept == nil)
      daemon.isOn = false
      running.backend.use(DisplaySettings())
      try wait(running, "the end of it") { running.desktopRotates == .some(nil) }
    }

    @Test func `the switch is ignored without a built-in panel`() throws {
      let kwin = try Fake("kwin offer 2 3", "kwin output DP-1 1280 800 0 0")
      let running = try start(kwin, takesOver: true)
      try running.rotate("DP-1", .rotated90).get()
      try bus.deliver()
      try running.loop.runPending()
      try bus.deliver()
      #expect(daemon.isOn && running.desktopRotates == nil)
    }

    @Test func `the switch stays recorded until kded runs`() throws {
      try directory.write("*kscreen* in-tablet-mode\n", to: "autorotate/kwin-rotation")
      daemon.end()
      let running = try start(Fake.kwin(.plasma5), takesOver: false)
      for _ in 1...3 {
        try bus.deliver()
        try running.loop.settle()
      }
      #expect(kept == "*kscreen* in-tablet-mode\n")
      let next = try KScreenRotationTests.FakeDaemon(on: bus, isOn: false)
      try wait(running, "the restoring") { next.isOn && kept == nil }
    }

    /// The backend does not wait for long: this daemon answers only afterwards.
    @Test func `a take-over switches kded's rotation back on`() throws {
      let running = try start(Fake.kwin(.plasma5), takesOver: true)
      try wait(running, "the take-over") { !daemon.isOn }
      #expect(kept == "*kscreen* in-tablet-mode\n")
      // Until the switch is known to be off.
      try running.rotate("eDP-1", .rotated90).get()
      for _ in 1...3 {
        try bus.deliver()
        try running.loop.settle()
      }
      running.backend.stop()
      #expect(try bus.run { daemon.isOn })
    }
  }
}
