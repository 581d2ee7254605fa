// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// When the hinge is measured, and what is told of it.
struct PostureNeedTests {
  private var watching: Settings {
    var settings = Settings()
    settings.watchesPosture = true
    return settings
  }

  @Test func nobodyNeedsItByDefault() {
    #expect(!Autorotator().needsPosture)
  }

  @Test func whoeverWatchesItNeedsItWhileTheDeviceIsAwake() {
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
  func itIsPublishedAtOnceAndTurnsNothing(_ posture: Posture) {
    var autorotator = Autorotator(settings: watching)
    let actions = autorotator.handle(.postureChanged(posture), at: Instant(seconds: 1))
    let published = actions.compactMap { action -> Posture? in
      if case .publish(let status) = action { status.posture } else { nil }
    }
    #expect(published == [posture])
    #expect(!actions.contains { if case .apply = $0 { true } else { false } })
  }
}
