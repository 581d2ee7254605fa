// SPDX-License-Identifier: MIT

import Autorotation

// Events of the device, of applications and of the user.
extension ScenarioParser {
  mutating func readEvent(_ words: inout Words, at time: Instant) throws {
    let keyword = try words.next("an event")
    switch keyword {
    case "device":
      let orientation = try words.raw("a way to hold the device", DeviceOrientation.self)
      schedule(at: time) { $0.setDeviceOrientation(orientation) }
    case "held", "zeros", "acceleration", "sensor": try readSensor(keyword, &words, at: time)
    case "touch":
      schedule(try words.choice("down or up", ["down": .touchBegan, "up": .touchEnded]), at: time)
    case "posture", "switch", "keys", "dock", "keyboard", "lid", "hinge":
      try readPosture(keyword, &words, at: time)
    case "focus": schedule(.focusChanged(try window(from: &words)), at: time)
    case "player":
      let player = try Self.player(from: &words)
      schedule(at: time) { $0.update(player.id, player.player) }
    case "request": schedule(.requestAdded(try request(from: &words)), at: time)
    case "unrequest":
      schedule(.requestsRemoved(ids: [requestNumber(try words.next("an application"))]), at: time)
    case "lock": schedule(.command(try Self.lock(from: &words)), at: time)
    case "unlock":
      let isShort = words.take("for")
      schedule(.command(isShort ? .unlockOnce(try words.duration("a time")) : .unlock), at: time)
    case "set-posture":
      schedule(.command(.setPosture(try words.raw("a posture to set", PostureChoice.self))), at: time)
    case "toggle-lock": schedule(.command(.toggleLock), at: time)
    case "rotate": schedule(.command(try Self.rotation(&words)), at: time)
    case "decline":
      try words.expect("offer")
      schedule(.declineSuggestion, at: time)
    case "hold": schedule(.command(.hold(try words.yesOrNo())), at: time)
    case "plug", "unplug", "xrandr", "output": try readOutputs(keyword, &words, at: time)
    case "desktop": try readDesktop(&words, at: time)
    case "session":
      let isActive = try words.choice("front or behind", ["front": true, "behind": false])
      schedule(.sessionChanged(isActive: isActive), at: time)
    case "windows":
      schedule(.windowsListed(words.restOfLine().split(separator: " ").map { [String($0)] }), at: time)
    case "display": schedule(.displayPowerChanged(isOn: try words.yesOrNo()), at: time)
    case "setting":
      let change = try Self.setting(from: &words)
      schedule(at: time) { $0.change(change) }
    case "rule":
      let rule = try Self.rule(from: &words)
      schedule(at: time) { $0.change { $0.rules.append(rule) } }
    case "suspend": schedule(.suspended, at: time)
    case "resume": schedule(.resumed, at: time)
    default: throw words.mistake("'\(keyword)' is not an event")
    }
  }

  mutating func schedule(_ event: Event, at time: Instant) {
    schedule(at: time) { _ in [event] }
  }

  /// `rotates BECAUSE…`, `rotates nothing`, `locked` or `unlocked`.
  private mutating func readDesktop(_ words: inout Words, at time: Instant) throws {
    guard words.take("rotates") else {
      let stays = try words.choice("rotates, locked or unlocked", ["locked": true, "unlocked": false])
      return schedule(at: time) {
        $0.desktopStaysIntentionally = stays
        return []
      }
    }
    let reason = words.restOfLine()
    let message = reason == "nothing" ? nil : Message(.desktopRotates, Phrase(verbatim: reason))
    schedule(.desktopRotates(message), at: time)
  }

  // MARK: Commands

  /// `ORIENTATION`, `next`, `previous`, `landscape` or `portrait`, `[on OUTPUT]`; or `offered`.
  private static func rotation(_ words: inout Words) throws -> DaemonCommand {
    if words.take("offered") { return .acceptSuggestion }
    let wish = try words.take(RotationTarget.init) ?? .to(words.orientation())
    return .rotate(wish, output: words.take("on") ? try words.next("an output") : nil)
  }

  private static func lock(from words: inout Words) throws -> DaemonCommand {
    let orientation = words.take(RotationTarget.init)
    guard !words.isDone else { return .lock(orientation, until: nil) }
    switch try words.next("for, until or while") {
    case "for": return .lock(orientation, until: .time(try words.duration("a time")))
    case "while":
      return .lock(orientation, until: .focus(application: try words.next("an application")))
    case "until":
      try words.expect("unfolded")
      return .lock(orientation, until: .unfolded)
    case let word: throw words.mistake("a lock ends 'for', 'until unfolded' or 'while', not '\(word)'")
    }
  }

  // MARK: Applications

  /// `none`, `dock NAME`, `dialog of NAME`, or `NAME` with properties.
  private mutating func window(from words: inout Words) throws -> Window? {
    if words.take("none") { return nil }
    let isDock = words.take("dock")
    let isDialog = words.take("dialog")
    if isDialog { try words.expect("of") }
    let name = try words.next("an application")
    var window = Window(id: 0, role: isDock ? .auxiliary : .application, identifiers: [name])
    window.isFullscreen = isDialog && windows[name]?.isFullscreen ?? false
    try readProperties(of: &window, &words)
    window.id = number(of: isDialog ? "dialog of \(name)" : name, window.isFullscreen)
    return window
  }

  private func readProperties(of window: inout Window, _ words: inout Words) throws {
    while !words.isDone {
      switch try words.next("a property of the window") {
      case "fullscreen": window.isFullscreen = true
      case "on": window.output = try words.next("an output")
      case "process": window.process = Int32(try words.number("a process"))
      case "class": window.identifiers.append(try words.next("a name"))
      case "titled": window.title = try words.next("a title")
      case "declares": window.declared = try words.mask()
      case let word: throw words.mistake("'\(word)' is not a property of a window")
      }
    }
  }

  private mutating func number(of window: String, _ isFullscreen: Bool) -> UInt64 {
    let id = windows[window]?.id ?? UInt64(windows.count + 1)
    windows[window] = (id, isFullscreen)
    return id
  }

  /// `NAME playing|paused|stopped|gone`, `[named NAME[,NAME…]]`, `[process NUMBER[,PARENT…]]`, `[proxy]`.
  private static func player(from words: inout Words) throws -> (id: String, player: Player?) {
    let name = try words.next("a player")
    let status = try words.choice(
      "what it does", ["playing": Player.Status.playing, "paused": .paused, "stopped": .stopped, "gone": nil])
    var player = status.map { Player(id: name, names: [name], program: name, status: $0) }
    while !words.isDone {
      switch try words.next("a property of the player") {
      case "named": player?.names = try words.next("a name").split(separator: ",").map(String.init)
      case "process":
        player?.processes = try words.next("a process").split(separator: ",").compactMap { Int32($0) }
      case "program": player?.program = try words.next("the name of a program")
      case "proxy": player?.isSandboxProxy = true
      case let word: throw words.mistake("'\(word)' is not a property of a player")
      }
    }
    return (name, player)
  }

  private mutating func request(from words: inout Words) throws -> OrientationRequest {
    let application = try words.next("an application")
    let mask = try words.mask()
    let window = words.take("while") ? try words.next("an application") : nil
    let why = words.take("because") ? words.restOfLine() : ""
    return OrientationRequest(
      id: requestNumber(application), mask: mask, application: application, why: why, whileFocused: window)
  }

  private mutating func requestNumber(_ application: String) -> UInt32 {
    let id = requests[application] ?? UInt32(requests.count + 1)
    requests[application] = id
    return id
  }
}
