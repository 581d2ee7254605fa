// SPDX-License-Identifier: MIT

/// What one application tells everybody of what it plays.
package struct Player: Equatable, Sendable {
  package enum Status: Sendable {
    case playing, paused, stopped
  }

  /// Its own, as long as it is there.
  package var id: String
  /// All names that its application may go by. Cleaned, since any client may call itself anything.
  package var names: [String]
  /// The file name of its process's executable, by the kernel; "" if it is not known.
  package var program: String
  /// Its process and those that this descends from, the nearest first; empty if they are not known.
  package var processes: [Int32]
  /// Whether its process only speaks for one that is hidden behind it, as that of a sandbox does.
  package var isStandIn: Bool
  package var status: Status

  package init(
    id: String, names: [String], program: String = "", processes: [Int32] = [], isStandIn: Bool = false,
    status: Status
  ) {
    self.id = id
    self.names = names.map { $0.printable() }
    self.program = program
    self.processes = processes
    self.isStandIn = isStandIn
    self.status = status
  }

  /// Whether it belongs to the window: by its process where both are known, else by its names. Any client can take any
  /// name, so those alone count only for one that speaks for a sandbox; of another its executable has to be the window's.
  /// - Parameter rules: those of one application, under all the names that it goes by.
  func belongs(to window: Window, by rules: [ApplicationRule]) -> Bool {
    if let process = window.process, !processes.isEmpty {
      if processes.contains(process) { return true }
      guard isStandIn else { return false }
    }
    return isStandIn ? isNamed(like: window, by: rules) : isProgram(of: window, by: rules)
  }

  private func isNamed(like window: Window, by rules: [ApplicationRule]) -> Bool {
    names.contains { name in
      window.identifiers.contains { $0.lowercased() == name.lowercased() }
        || rules.contains { $0.names(name) }
    }
  }

  /// "firefox-esr" is the program of a window "firefox", "chrome" that of "google-chrome", "totem" of "org.gnome.Totem".
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

/// Whether the application in front plays.
///
///     plays ─────────── stops ▁▁▁▁ 2 s ▁▁▁▁│ no     the next film of a list comes sooner
///     plays ─────────── paused ─────────────        a pause to look at the picture does not take it away
///     paused ── fills the screen ───────────        it has not played there: no
struct Playback: Sendable {
  /// Longer than there is nothing between two films of a list.
  static let gap = Duration.seconds(2)

  private(set) var isPlaying = false
  /// When it no longer counts as playing.
  private(set) var endsAt: Instant?
  private(set) var players: [Player] = []
  /// Those that have played while the window was in front.
  private var played: Set<String> = []
  private var window: UInt64?

  mutating func hear(_ players: [Player]) {
    self.players = players
    played.formIntersection(players.map(\.id))
  }

  /// - Parameter rules: those for the window that ask whether it plays.
  mutating func follow(_ window: Window?, by rules: [ApplicationRule], at now: Instant) {
    if window?.id != self.window {
      self.window = window?.id
      (isPlaying, endsAt, played) = (false, nil, [])
    }
    guard let window else { return }
    let own = players(of: window, by: rules)
    played.formUnion(own.filter { $0.status == .playing }.map(\.id))
    adopt(own.contains { $0.status == .playing || $0.status == .paused && played.contains($0.id) }, at: now)
  }

  private mutating func adopt(_ plays: Bool, at now: Instant) {
    guard !plays, isPlaying else {
      (isPlaying, endsAt) = (plays, nil)
      return
    }
    let end = endsAt ?? now + Self.gap
    (isPlaying, endsAt) = end <= now ? (false, nil) : (true, end)
  }

  func players(of window: Window, by rules: [ApplicationRule]) -> [Player] {
    players.filter { $0.belongs(to: window, by: rules) }
  }
}

// Who plays is asked for only while it can matter, since each answer wakes.
extension Autorotator {
  /// Whether what applications play could change anything now, or in a moment.
  package var needsPlayers: Bool {
    [applications.focus.window, applications.focus.coming].contains { window in
      window.map { !playingRules(for: $0).isEmpty } ?? false
    }
  }

  /// The rules for a window that depend on whether it plays.
  private func playingRules(for window: Window) -> [ApplicationRule] {
    settings.rules.filter {
      $0.playing != nil
        && ($0.applies(to: window, in: posture, isPlaying: true)
          || $0.applies(to: window, in: posture, isPlaying: false))
    }
  }

  mutating func followPlayback(at now: Instant) {
    guard needsPlayers else {
      if !applications.playback.isIdle { applications.playback = Playback() }
      return
    }
    applications.playback.follow(
      applications.focus.window, by: applications.focus.window.map(playingRules) ?? [], at: now)
  }

  /// The rule that would apply if the application in focus played.
  var ruleAwaitingPlay: Situation.FocusedRule? {
    guard let window = applications.focus.window, !applications.playback.isPlaying,
      let rule = settings.rules.rule(for: window, in: posture, isPlaying: true), rule.playing == true
    else { return nil }
    return .init(application: window.identifiers.first ?? "The application", rule: rule)
  }
}

extension Playback {
  fileprivate var isIdle: Bool { window == nil && players.isEmpty }
}
