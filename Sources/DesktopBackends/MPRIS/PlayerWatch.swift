// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
package import System

/// Watches which applications play media, by MPRIS on the session bus. It is idle while it is not needed.
package final class PlayerWatch {
  nonisolated static let prefix = "org.mpris.MediaPlayer2"
  /// Far more players than usual; a limit, since a program may own any number of names.
  nonisolated static let maximumPlayers = 64
  /// The limit for one bus connection, so that it cannot displace all others.
  nonisolated static let maximumPerConnection = 4
  private static let maximumRequests = 1024

  private let report: ([Player]) -> Void
  private var bus: Bus?
  private var names: Subscription?
  private var players: [String: WatchedPlayer] = [:]
  /// Of new names of each connection; far more than an application needs.
  private var meter = CallRateLimiter(perSecond: 20)
  private var lastReported: [Player] = []

  /// Whether players have to be watched.
  package var isNeeded = false {
    didSet { if isNeeded != oldValue { restart() } }
  }

  /// - Parameter report: receives all players after each change; called from the loop.
  package init(report: @escaping ([Player]) -> Void) {
    self.report = report
  }

  /// - Parameter bus: the session bus; `nil` while there is none.
  package func use(_ bus: Bus?) {
    self.bus = bus
    restart()
    reportChange()
  }

  private func restart() {
    names = nil
    players = [:]
    guard isNeeded, let bus else {
      if !isNeeded { lastReported = [] }
      return
    }
    // If the bus fails, there are no players.
    try? watchNames(on: bus)
  }

  private func watchNames(on bus: Bus) throws(BusError) {
    var rule = SignalRule(.driver, "NameOwnerChanged")
    rule.firstArgumentNamespace = Self.prefix
    names = try bus.match(rule) { [weak self] signal in
      guard let arguments = try? signal.arguments(), let name: String = try? arguments.read(0),
        let owner: String = try? arguments.read(2)
      else { return }
      self?.ownerChanged(of: name, to: owner)
    }
    let current = names
    try bus.call(.driver, "ListNames") { [weak self] answer in
      guard let self, names === current, let all: [String] = try? answer.get().read(0) else { return }
      for name in all.lazy.filter(Self.isPlayer).prefix(Self.maximumRequests) { requestOwner(of: name) }
    }
  }

  private static func isPlayer(_ name: String) -> Bool { name.hasPrefix(prefix + ".") }

  private func requestOwner(of name: String) {
    let current = names
    try? bus?.call(.driver, "GetNameOwner", [.string(name)]) { [weak self] answer in
      guard let self, names === current, players[name] == nil, let owner: String = try? answer.get().read(0)
      else { return }
      ownerChanged(of: name, to: owner)
    }
  }

  private func ownerChanged(of name: String, to owner: String) {
    guard Self.isPlayer(name) else { return }
    players[name] = nil
    let count = players.values.count { $0.owner == owner }
    if !owner.isEmpty, count < Self.maximumPerConnection, !meter.refuses(owner, at: EventLoop.now), let bus {
      makeRoom()
      players[name] = WatchedPlayer(name, of: owner, on: bus) { [weak self] in self?.reportChange() }
    }
    reportChange()
  }

  /// Drops a player of the process that has the most, so that one process cannot displace the others by owning many
  /// names on many connections.
  private func makeRoom() {
    guard players.count >= Self.maximumPlayers else { return }
    let groups = Dictionary(grouping: players) {
      $0.value.process.ids.first.map(String.init) ?? $0.value.owner
    }
    let largest = groups.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    if let dropped = largest?.value.min(by: { $0.key < $1.key }) { players[dropped.key] = nil }
  }

  private func reportChange() {
    let now = players.values.compactMap(\.player).sorted { $0.id < $1.id }
    guard now != lastReported else { return }
    lastReported = now
    report(now)
  }
}

private final class WatchedPlayer {
  /// Far more than a user causes.
  private var meter = CallRateLimiter(perSecond: 20)
  private let name: String
  private let target: BusTarget
  private let bus: Bus
  private let changed: () -> Void
  private var changes: Subscription?
  private var entry = ""
  private var status = Player.Status.stopped
  private(set) var process = ProcessLineage()
  private var pendingReplies = 0
  private var isKnown = false

  init(_ name: String, of owner: String, on bus: Bus, changed: @escaping () -> Void) {
    self.name = name
    self.bus = bus
    self.changed = changed
    target = BusTarget(service: owner, path: "/org/mpris/MediaPlayer2", interface: PlayerWatch.prefix)
    let rule = SignalRule(target.properties, "PropertiesChanged", firstArgument: Self.player)
    changes = try? bus.match(rule) { [weak self] in self?.receive($0) }
    call(.driver, "GetConnectionUnixProcessID", [.string(owner)]) { [weak self] answer in
      let id = (answer as UInt32?).flatMap(Int32.init(exactly:))
      self?.process = id.map { ProcessLineage(of: $0) } ?? ProcessLineage()
    }
    get("DesktopEntry", of: PlayerWatch.prefix) { [weak self] in self?.entry = $0?.printable() ?? "" }
    requestStatus()
  }

  private static let player = PlayerWatch.prefix + ".Player"

  var owner: String { target.service }

  /// `nil` until its status is known; its names may follow. While the status is asked for again, it stays.
  var player: Player? {
    guard isKnown else { return nil }
    return Player(
      id: name, names: process.names(ofPlayer: name, entry: entry), program: process.program,
      processes: process.ids, isSandboxProxy: process.isSandboxProxy, status: status)
  }

  /// Two replies are about something else: of three pending ones, one has the status after the latest change.
  private func requestStatus() {
    guard pendingReplies < 3 else { return }
    get("PlaybackStatus", of: Self.player) { [weak self] word in
      if let word { self?.setStatus(word) }
      self?.isKnown = true
    }
  }

  /// An unknown word counts as stopped.
  private func setStatus(_ word: String) {
    status = Player.Status(rawValue: word) ?? .stopped
  }

  private func get(_ property: String, of interface: String, _ receive: @escaping (String?) -> Void) {
    call(target.properties, "Get", [.string(interface), .string(property)], receive)
  }

  /// - Parameter receive: receives `nil` if the reply is an error or of another type.
  private func call<Answer: ReadableFromBus>(
    _ target: BusTarget, _ member: String, _ arguments: [Value], _ receive: @escaping (Answer?) -> Void
  ) {
    pendingReplies += 1
    // With D-Bus's usual timeout: a browser that is busy answers late, and sends no signal for a film that plays.
    bus.ask(target, member, arguments) { [weak self] answer in
      receive(try? answer.get().read(0))
      guard let self else { return }
      pendingReplies -= 1
      if isKnown { changed() }
    }
  }

  private func receive(_ signal: BusMessage) {
    guard !meter.refuses(target.service, at: EventLoop.now) else {
      // A player that sends too many signals is ignored.
      (self.changes, status) = (nil, .stopped)
      return changed()
    }
    guard let arguments = try? signal.arguments(upTo: .call) else { return requestStatus() }
    let changes: [String: Value]? = try? arguments.read(1)
    if let word: String = try? changes?["PlaybackStatus"]?.read() {
      setStatus(word)
      changed()
    } else if let invalidated: [String] = try? arguments.read(2), invalidated.contains("PlaybackStatus") {
      requestStatus()
    }
  }
}

/// A process and its ancestors, as the kernel reports them. A process can change its `comm`, but not its executable.
struct ProcessLineage: Equatable {
  /// A browser's helpers are grandchildren; the limit also ends malicious lineages.
  private static let longest = 8
  /// Programs that connect to the bus for sandboxed applications.
  private static let proxies = ["xdg-dbus-proxy"]

  /// Itself, its parent and so on, without process 1.
  private(set) var ids: [Int32] = []
  /// The file name of its executable.
  private(set) var program = ""
  /// Whether it is only the bus proxy of a sandboxed application.
  private(set) var isSandboxProxy = false

  /// - Parameter isInstalled: whether the executable belongs to root, so that no user has created it.
  init(program: String = "", isInstalled: Bool = false) {
    self.program = program
    isSandboxProxy = isInstalled && Self.proxies.contains(program)
  }

  init(of process: Int32) {
    let executable = "/proc/\(process)/exe"
    var status = stat()
    let isInstalled = stat(executable, &status) == 0 && status.st_uid == 0
    self.init(program: SystemFile.linkName(of: executable) ?? "", isInstalled: isInstalled)
    var next = process
    while next > 1, ids.count < Self.longest, !ids.contains(next) {
      ids.append(next)
      next = Self.parent(of: next)
    }
  }

  /// The possible names of a player's application, whose process this is.
  /// - Parameters:
  ///   - bus: its name on the bus, "org.mpris.MediaPlayer2.chromium.instance9116".
  ///   - entry: its `DesktopEntry`; browsers based on Chromium have none. Firefox's forks differ only by it, in a
  ///     sandbox, too: all have Firefox's name on the bus.
  func names(ofPlayer bus: String, entry: String) -> [String] {
    let parts = bus.dropFirst(PlayerWatch.prefix.count + 1).split(separator: ".")
    // The part between MPRIS's prefix and the instance.
    let application = parts.prefix { $0 != "Sandboxed" && !$0.hasPrefix("instance") }.joined(separator: ".")
    let names = [application, entry.withoutDesktopSuffix, isSandboxProxy ? "" : program]
    return names.filter { !$0.isEmpty }.eachOnce
  }

  /// 0 if the process has ended.
  private static func parent(of process: Int32) -> Int32 {
    let fields = ProcessIdentity.fields(of: process)
    return fields.count > 1 ? Int32(fields[1]) ?? 0 : 0
  }
}
