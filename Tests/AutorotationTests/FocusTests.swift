// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// What scenarios cannot express: reports at the very end of a wait.
struct FocusTests {
  private static let film = Window(id: 1, identifiers: ["film"])

  /// Rotations wait one second for the first report; a window that is reported by then is used at once.
  @Test(arguments: [(1.0, true), (1.001, false)])
  func `the first window is used at once if it was awaited`(_ second: Double, _ isUsed: Bool) {
    var focus = Focus()
    focus.awaitFirstReport(from: Instant(seconds: 0))
    focus.move(to: Self.film, panels: ["eDP-1"], at: Instant(seconds: second))
    let hasChanged = focus.update(at: Instant(seconds: second))
    #expect(hasChanged == isUsed && (focus.window == Self.film) == isUsed)
  }

  /// The player may have stopped while nothing asked for it.
  @Test func `what an app played before is not assumed later`() {
    var settings = Settings()
    settings.rules = [ApplicationRule(source: "film.toml:1", matches: ["film"], playing: true)]
    var machine = Autorotator(settings: settings)
    let playing = Player(id: "a", names: ["film"], program: "film", status: .playing)
    func isPlaying(after event: Event, at seconds: Double) -> Bool {
      _ = machine.handle(event, at: Instant(seconds: seconds))
      _ = machine.handle(.deadlineReached, at: Instant(seconds: seconds + 1))
      return machine.applications.playback.isPlaying
    }
    #expect(!isPlaying(after: .focusChanged(Self.film), at: 1))
    #expect(isPlaying(after: .playersChanged([playing]), at: 3))
    #expect(!isPlaying(after: .focusChanged(Window(id: 2, identifiers: ["xterm"])), at: 5))
    #expect(!isPlaying(after: .focusChanged(Self.film), at: 7))
  }
}
