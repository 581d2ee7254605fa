// SPDX-License-Identifier: MIT

/// What one application reports of its playback (MPRIS).
package struct Player: Equatable, Sendable {
  /// Named as in MPRIS.
  package enum Status: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  /// Unique while it is connected.
  package var id: String
  /// All names that its application may have. Cleaned, since any client may choose any name.
  package var names: [String]
  /// The file name of its process's executable, from the kernel; "" if unknown.
  package var program: String
  /// Its process and the ancestors of that, the nearest first; empty if unknown.
  package var processes: [Int32]
  /// Whether its process is only the proxy of a sandbox, which hides the real one.
  package var isSandboxProxy: Bool
  package var status: Status

  package init(
    id: String, names: [String], program: String = "", processes: [Int32] = [], isSandboxProxy: Bool = false,
    status: Status
  ) {
    self.id = id
    self.names = names.map { $0.printable() }
    self.program = program
    self.processes = processes
    self.isSandboxProxy = isSandboxProxy
    self.status = status
  }

  /// Whether it belongs to the window: by its process where both are known, else by its names. Any client can choose
  /// any name, so names suffice only for the proxy of a sandbox; otherwise the executable has to be the window's.
  /// - Parameter rules: the rules of one application, under all its names.
  func belongs(to window: Window, by rules: [ApplicationRule]) -> Bool {
    if let process = window.process, !processes.isEmpty {
      if processes.contains(process) { return true }
      guard isSandboxProxy else { return false }
    }
    return isSandboxProxy ? isNamed(like: window, by: rules) : isProgram(of: window, by: rules)
  }

  private func isNamed(like window: Window, by rules: [ApplicationRule]) -> Bool {
    names.contains { name in
      window.identifiers.contains { $0.lowercased() == name.lowercased() }
        || rules.contains { $0.names(name) }
    }
  }

  /// "firefox-esr" is the program of a window "firefox", "chrome" that of "google-chrome",
  /// "totem" of "org.gnome.Totem".
  private func isProgram(of window: Window, by rules: [ApplicationRule]) -> Bool {
    guard let first = Self.words(of: program).first else { return false }
    let known = window.identifiers.flatMap { Self.words(of: $0) + [$0.lowercased()] }
    return known.contains(program.lowercased()) || known.contains(first)
      || rules.contains { $0.names(program) }
  }

  private static func words(of name: String) -> [String] {
    name.lowercased().split { ".-_ ".contains($0) }.map(String.init)
  }
}

/// Debounces whether the focused application plays.
///
///     plays ─────────── stops ▁▁▁▁ 2 s ▁▁▁▁│ no     the next film of a list comes sooner
///     plays ─────────── paused ─────────────        a pause to look at the screen keeps it
///     paused ── fullscreen ─────────────            it has not played there: no
struct Playback: Sendable {
  /// Longer than the gap between two films of a playlist.
  static let gap = Duration.seconds(2)

  private(set) var isPlaying = false
  /// When it no longer counts as playing.
  private(set) var endsAt: Instant?
  private(set) var players: [Player] = []
  /// The players that have played while the window had focus.
  private var played: Set<String> = []
  private var window: UInt64?

  mutating func update(_ players: [Player]) {
    self.players = players
    played.formIntersection(players.map(\.id))
  }

  /// - Parameter rules: the rules for the window that depend on playback.
  mutating func follow(_ window: Window?, by rules: [ApplicationRule], at now: Instant) {
    if window?.id != self.window {
      self.window = window?.id
      (isPlaying, endsAt, played) = (false, nil, [])
    }
    guard let window else { return }
    let own = players.filter { $0.belongs(to: window, by: rules) }
    played.formUnion(own.filter { $0.status == .playing }.map(\.id))
    let plays = own.contains { $0.status == .playing || $0.status == .paused && played.contains($0.id) }
    let end: Instant? = plays || !isPlaying ? nil : endsAt ?? now + Self.gap
    endsAt = end.flatMap { $0 > now ? $0 : nil }
    isPlaying = plays || endsAt != nil
  }
}

// Players are queried only while they matter, since each answer is a wake-up.
extension Autorotator {
  /// Whether playback can have an effect now, or for the pending window.
  package var needsPlayers: Bool {
    [applications.focus.window, applications.focus.pending].contains { window in
      window.map { !playingRules(for: $0).isEmpty } ?? false
    }
  }

  private func playingRules(for window: Window) -> [ApplicationRule] {
    settings.rules.filter {
      $0.playing != nil
        && ($0.applies(to: window, in: posture, isPlaying: true)
          || $0.applies(to: window, in: posture, isPlaying: false))
    }
  }

  mutating func followPlayback(at now: Instant) {
    guard needsPlayers else {
      applications.playback = Playback()
      return
    }
    applications.playback.follow(
      applications.focus.window, by: applications.focus.window.map(playingRules) ?? [], at: now)
  }

  /// The rule that would apply if the application in focus played.
  var ruleAwaitingPlay: ApplicationRule? {
    let rule = applications.playback.isPlaying ? nil : focusedRule(isPlaying: true)
    return rule?.playing == true ? rule : nil
  }
}
