// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Which applications tell that they play something, by MPRIS on the session bus. Nothing is asked and nothing wakes
/// while it is not needed.
package final class PlayerWatch {
  nonisolated static let prefix = "org.mpris.MediaPlayer2"
  /// More than anybody has open; a program may take any number of names.
  nonisolated static let most = 64
  /// So that one program does not take the place of all others.
  nonisolated static let mostOfOne = 4
  private static let mostAsked = 1024
  private static let patience = Duration.seconds(2)

  private let report: ([Player]) -> Void
  private var bus: Bus?
  private var names: Subscription?
  private var players: [String: WatchedPlayer] = [:]
  private var told: [Player] = []

  /// Set as long as somebody wants to know.
  package var isNeeded = false {
    didSet { if isNeeded != oldValue { restart() } }
  }

  /// - Parameter report: takes all of them, each time any of that changes; called from the loop.
  package init(report: @escaping ([Player]) -> Void) {
    self.report = report
  }

  /// - Parameter bus: the session's; `nil` while there is none.
  package func use(_ bus: Bus?) {
    self.bus = bus
    restart()
    tell()
  }

  private func restart() {
    names = nil
    players = [:]
    guard isNeeded, let bus else {
      if !isNeeded { told = [] }
      return
    }
    // What cannot even be asked is as good as nobody.
    try? watchNames(on: bus)
  }

  private func watchNames(on bus: Bus) throws(BusError) {
    var rule = SignalRule(.driver, "NameOwnerChanged")
    rule.firstArgumentNamespace = Self.prefix
    names = try bus.match(rule) { [weak self] signal in
      guard let arguments = try? signal.arguments(), let name: String = try? arguments.read(0),
        let owner: String = try? arguments.read(2)
      else { return }
      self?.adopt(name, owner: owner)
    }
    let asked = names
    try bus.call(.driver, "ListNames", timeout: Self.patience) { [weak self] answer in
      guard let self, names === asked, let all: [String] = try? answer.get().read(0) else { return }
      for name in all.lazy.filter(Self.isPlayer).prefix(Self.mostAsked) { askForOwner(of: name) }
    }
  }

  private static func isPlayer(_ name: String) -> Bool { name.hasPrefix(prefix + ".") }

  private func askForOwner(of name: String) {
    let asked = names
    try? bus?.call(.driver, "GetNameOwner", [.string(name)], timeout: Self.patience) { [weak self] answer in
      guard let self, names === asked, players[name] == nil, let owner: String = try? answer.get().read(0)
      else { return }
      adopt(name, owner: owner)
    }
  }

  private func adopt(_ name: String, owner: String) {
    guard Self.isPlayer(name) else { return }
    players[name] = nil
    if !owner.isEmpty, hasRoom(for: owner), let bus {
      makeRoom()
      players[name] = WatchedPlayer(name, of: owner, on: bus, patience: Self.patience) { [weak self] in
        self?.tell()
      }
    }
    tell()
  }

  private func hasRoom(for owner: String) -> Bool {
    players.values.count { $0.owner == owner } < Self.mostOfOne
  }

  /// Drops a player of the process that has the most, so that one process cannot shut out the others by taking many names
  /// on many connections.
  private func makeRoom() {
    guard players.count >= Self.most else { return }
    let groups = Dictionary(grouping: players) {
      $0.value.process.ids.first.map(String.init) ?? $0.value.owner
    }
    let largest = groups.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    if let dropped = largest?.value.min(by: { $0.key < $1.key }) { players[dropped.key] = nil }
  }

  private func tell() {
    let now = players.values.compactMap(\.player).sorted { $0.id < $1.id }
    guard now != told else { return }
    told = now
    report(now)
  }
}

/// What one of them tells.
private final class WatchedPlayer {
  /// Far more than a person can press buttons.
  private static let changesPerSecond = 20

  private let name: String
  let owner: String
  private let target: BusTarget
  private let bus: Bus
  private let patience: Duration
  private let changed: () -> Void
  private var changes: Subscription?
  private var meter = CallMeter(perSecond: WatchedPlayer.changesPerSecond)
  private var entry = ""
  private var status = Player.Status.stopped
  private(set) var process = ProcessLineage()
  private var answersLeft = 0

  init(_ name: String, of owner: String, on bus: Bus, patience: Duration, changed: @escaping () -> Void) {
    self.name = name
    self.owner = owner
    self.bus = bus
    self.patience = patience
    self.changed = changed
    target = BusTarget(service: owner, path: "/org/mpris/MediaPlayer2", interface: PlayerWatch.prefix)
    let rule = SignalRule(target.properties, "PropertiesChanged", firstArgument: Self.player)
    changes = try? bus.match(rule) { [weak self] in self?.receive($0) }
    askForProcess()
    ask(for: "DesktopEntry", of: PlayerWatch.prefix) { [weak self] in self?.entry = $0 }
    askForStatus()
  }

  private static let player = PlayerWatch.prefix + ".Player"

  /// `nil` as long as it has not told all.
  var player: Player? {
    guard answersLeft == 0 else { return nil }
    return Player(
      id: name, names: PlayerNames(bus: name, entry: entry, process: process).all, program: process.program,
      processes: process.ids, isStandIn: process.isStandIn, status: status)
  }

  private func askForProcess() {
    call(.driver, "GetConnectionUnixProcessID", [.string(target.service)]) { [weak self] answer in
      let id = (answer as UInt32?).flatMap(Int32.init(exactly:))
      self?.process = id.map { ProcessLineage(of: $0) } ?? ProcessLineage()
    }
  }

  private func askForStatus() {
    ask(for: "PlaybackStatus", of: Self.player) { [weak self] in self?.status = Player.Status($0) }
  }

  private func ask(for property: String, of interface: String, _ take: @escaping (String) -> Void) {
    call(target.properties, "Get", [.string(interface), .string(property)]) { (answer: String?) in
      if let answer { take(answer) }
    }
  }

  /// - Parameter take: is given `nil` if there is no such answer.
  private func call<Answer: ReadableFromBus>(
    _ target: BusTarget, _ member: String, _ arguments: [Value], _ take: @escaping (Answer?) -> Void
  ) {
    answersLeft += 1
    do throws(BusError) {
      try bus.call(target, member, arguments, timeout: patience, startsService: false) { [weak self] answer in
        take(try? answer.get().read(0))
        self?.noteAnswer()
      }
    } catch {
      answersLeft -= 1
    }
  }

  private func noteAnswer() {
    answersLeft -= 1
    if answersLeft == 0 { changed() }
  }

  private func receive(_ signal: BusMessage) {
    guard !meter.refuses(target.service, at: EventLoop.now) else { return ignore() }
    guard let arguments = try? signal.arguments() else { return }
    let told: [String: Value]? = try? arguments.read(1)
    if let word: String = try? told?["PlaybackStatus"]?.read() {
      status = Player.Status(word)
      changed()
    } else if let void: [String] = try? arguments.read(2), void.contains("PlaybackStatus") {
      askForStatus()
    }
  }

  /// One that does not stop talking is not listened to.
  private func ignore() {
    changes = nil
    status = .stopped
    changed()
  }
}

extension Player.Status {
  /// By MPRIS's words; another one is nobody's who plays.
  init(_ word: String) {
    switch word {
    case "Playing": self = .playing
    case "Paused": self = .paused
    default: self = .stopped
    }
  }
}
