// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// When the posture is needed and the hinge measured.
struct PostureNeedTests {
  private var watching: Settings {
    var settings = Settings()
    settings.watchesPosture = true
    return settings
  }

  @Test func `the posture is not needed by default`() {
    #expect(!Autorotator().needsPosture)
  }

  @Test func `a watched posture is needed unless suspended`() {
    var autorotator = Autorotator()
    _ = autorotator.handle(.settingsChanged(watching), at: Instant(seconds: 1))
    #expect(autorotator.needsPosture)
    _ = autorotator.handle(.suspended, at: Instant(seconds: 2))
    #expect(!autorotator.needsPosture)
    _ = autorotator.handle(.resumed, at: Instant(seconds: 3))
    #expect(autorotator.needsPosture)
    _ = autorotator.handle(.settingsChanged(Settings()), at: Instant(seconds: 4))
    #expect(!autorotator.needsPosture)
  }

  @Test(arguments: [Posture.tablet, .laptop, .docked])
  func `the posture is published at once without rotation`(_ posture: Posture) {
    var autorotator = Autorotator(settings: watching)
    let input = PostureInput(kind: posture == .docked ? .dock : .tabletSwitch, name: "switch")
    let actions = autorotator.handle(
      .postureEvidence(PostureEvidence([input: posture])), at: Instant(seconds: 1))
    let published = actions.compactMap { action -> Posture? in
      if case .publish(let status) = action { status.posture } else { nil }
    }
    #expect(published == [posture])
    #expect(!actions.contains { if case .apply = $0 { true } else { false } })
  }

  @Test func `a lock setting for a posture needs it before the lock is set`() {
    var settings = Settings()
    settings.locks[.tablet] = .to(.left)
    #expect(Autorotator(settings: settings).needsPosture)
  }

  @Test func `settings for tents and stands need the posture`() {
    var lock = Settings()
    lock.locks[.tent] = .to(.inverted)
    var stand = Settings()
    stand.locks[.stand] = .keep
    var rule = Settings()
    rule.rules = [ApplicationRule(source: "", matches: ["mpv"], postures: [.laptop])]
    #expect([lock, stand, rule].map { Autorotator(settings: $0).needsPosture } == [true, true, true])
  }

  @Test(arguments: [nil, [.laptop, .docked], [.tent], [.laptop, .stand]] as [[Posture]?])
  func `tents and stands matter if a rule names them`(_ postures: [Posture]?) {
    var settings = Settings()
    settings.rules = [ApplicationRule(source: "", matches: ["mpv"], postures: postures)]
    let namesShape = postures.map { $0.contains(.tent) || $0.contains(.stand) } ?? false
    #expect(settings.needsTabletShape == namesShape)
  }

  @Test func `the hinge is watched with the state of the lid`() {
    var autorotator = Autorotator()
    #expect(autorotator.hingeWatch(at: Instant(seconds: 0)) == .off)
    _ = autorotator.handle(.settingsChanged(watching), at: Instant(seconds: 1))
    #expect(autorotator.hingeWatch(at: Instant(seconds: 1)) == .lidOpen)
    _ = autorotator.handle(.postureEvidence(PostureEvidence(isLidClosed: true)), at: Instant(seconds: 2))
    #expect(autorotator.hingeWatch(at: Instant(seconds: 2)) == .lidClosed)
    _ = autorotator.handle(.suspended, at: Instant(seconds: 3))
    #expect(autorotator.hingeWatch(at: Instant(seconds: 3)) == .paused)
    _ = autorotator.handle(.settingsChanged(Settings()), at: Instant(seconds: 4))
    #expect(autorotator.hingeWatch(at: Instant(seconds: 4)) == .off)
  }

  @Test func `the hinge is not watched while the user sets the posture`() {
    var autorotator = Autorotator(settings: watching)
    _ = autorotator.handle(.command(.setPosture(.tablet)), at: Instant(seconds: 1))
    #expect(autorotator.hingeWatch(at: Instant(seconds: 1)) == .off)
    _ = autorotator.handle(.command(.setPosture(.auto)), at: Instant(seconds: 2))
    #expect(autorotator.hingeWatch(at: Instant(seconds: 2)) == .lidOpen)
  }
}
