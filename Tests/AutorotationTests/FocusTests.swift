// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// The focus, and what belongs to the window that has it, beside the scenarios.
struct FocusTests {
  private static let film = Window(id: 1, identifiers: ["film"])

  /// Rotations wait one second for the first report; a window that is reported by then is used at once.
  @Test(arguments: [(1.0, true), (1.001, false)])
  func `an awaited first window is used at once`(_ second: Double, _ isUsed: Bool) {
    var focus = Focus()
    focus.awaitFirstReport(from: Instant(seconds: 0))
    focus.move(to: Self.film, panels: ["eDP-1"], at: Instant(seconds: second))
    let hasChanged = focus.update(at: Instant(seconds: second))
    #expect(hasChanged == isUsed && (focus.window == Self.film) == isUsed)
  }

  @Test func `only the first output begins the wait for a window`() {
    var focus = Focus()
    for second in [0, 0.9] { focus.awaitFirstReport(from: Instant(seconds: second)) }
    #expect(focus.firstReportDue == Instant(seconds: 1))
    focus.move(to: nil, panels: ["eDP-1"], at: Instant(seconds: 0.95))
    focus.awaitFirstReport(from: Instant(seconds: 2))
    #expect(focus.firstReportDue == nil)
  }

  @Test func `requests while focused and players need their window`() {
    let request = OrientationRequest(id: 1, mask: [.left], application: "film", why: "", whileFocused: "film")
    #expect(!request.applies(to: nil) && !request.isOwn(of: nil))
    #expect(request.applies(to: Self.film) && request.isOwn(of: Self.film))
    let player = Player(id: "a", names: ["film"], status: .playing)
    #expect(!player.belongs(to: Self.film, by: []))
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
