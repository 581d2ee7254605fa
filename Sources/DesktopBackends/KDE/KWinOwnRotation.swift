// SPDX-License-Identifier: MIT

import Autorotation
import System

/// KWin's own auto-rotation of the panel: left alone or, if the settings ask for it, switched off while autorotate
/// runs.
///
/// In Plasma 6 this is a policy of each internal display, in Plasma 5 one switch of KScreen's module in kded5. Both
/// outlive the session, so a file keeps the old values until they have been restored.
final class KWinOwnRotation {
  /// Stands for the switch of Plasma 5 among output names; no output can have this name.
  static let kscreenName = "*kscreen*"

  var settings: DisplaySettings {
    didSet { if settings.takesOver != oldValue.takesOver { refused = [] } }
  }

  private let outputs: KWinOutputs
  private var kept: StateTable<KWinRotationPolicy>
  private let report: (Message?) -> Void
  private let note: (Message) -> Void
  private var kscreen: KScreenRotation?
  /// The policy of KScreen's module; `nil` where it does nothing.
  private var kscreenPolicy: KWinRotationPolicy?
  private var pending: [String: KWinConfiguration] = [:]
  private var refused: Set<String> = []
  private var reported: Message? { didSet { if reported != oldValue { report(reported) } } }

  /// - Parameter report: receives why autorotate must not rotate the screen; `nil` when it may. Called on changes only.
  init(
    _ outputs: KWinOutputs, settings: DisplaySettings, kept: StateTable<KWinRotationPolicy>,
    report: @escaping (Message?) -> Void, note: @escaping (Message) -> Void
  ) {
    self.outputs = outputs
    self.kept = kept
    self.report = report
    self.note = note
    self.settings = settings
  }

  /// - Parameter bus: the session bus; only for Plasma 5, whose outputs have no policy.
  func start(_ bus: Bus?) {
    guard let bus, !outputs.canSetPolicy else { return }
    kscreen = try? KScreenRotation(bus) { [weak self] policy in
      self?.kscreenPolicy = policy
      self?.update()
    }
  }

  /// Called when outputs or settings have changed. Plasma 5 does not report its switch, so it is read.
  func refresh() {
    kscreen?.ask()
    update()
  }

  /// Restores all policies, and waits for that: the process is about to end.
  /// - Parameter last: a connection that is still open.
  func stop(on last: Bus?) {
    for name in kept.names {
      guard currentPolicy(name) == .never, let policy = kept[name] else { continue }
      if restoreAndWait(policy, of: name, on: last) { kept.forget(name) }
    }
  }

  var rotatesInTabletModeOnly: Bool { !panelNames.contains { currentPolicy($0) == .always } }

  private var panelNames: [String] {
    let panels = outputs.states.map(\.output).panels(chosen: settings.output)
    if outputs.canSetPolicy { return panels.map(\.name) }
    return panels.contains(where: \.isBuiltIn) ? [Self.kscreenName] : []
  }

  private func currentPolicy(_ name: String) -> KWinRotationPolicy {
    if name == Self.kscreenName { return kscreenPolicy ?? .never }
    guard let state = outputs[name]?.state, state.canAutoRotate else { return .never }
    return state.policy ?? .never
  }

  /// Adapts to the current state of KWin's own rotation; called after each batch of events.
  func update() {
    var reason: Message?
    let panels = panelNames
    for name in Set(kept.names + panels).sorted() where !isPending(name) {
      let isOurs = settings.takesOver && panels.contains(name) && !refused.contains(name)
      let found = currentPolicy(name)
      if found == .never {
        // What was refused is tried once more at the end.
        if !isOurs, !refused.contains(name), let policy = kept[name] { set(policy, of: name) }
      } else if isOurs {
        if (try? kept.keep(found, for: name)) == nil { note(.cannotKeep) }
        set(.never, of: name)
      } else {
        // The user has switched it on again since.
        kept.forget(name)
        if panels.contains(name) { reason = reason ?? found.message }
      }
    }
    reported = reason
  }

  private func isPending(_ name: String) -> Bool {
    // kded's switch cannot be set before it is known.
    name == Self.kscreenName ? kscreenPolicy == nil || kscreen?.isSetting == true : pending[name] != nil
  }

  private func set(_ policy: KWinRotationPolicy, of name: String) {
    if name == Self.kscreenName {
      kscreen?.set(policy) { [weak self] in self?.ended(policy, of: name, isSet: $0) }
    } else {
      pending[name] = request(policy, of: name) { [weak self] in self?.answered($0, policy, name) }
    }
  }

  private func ended(_ policy: KWinRotationPolicy, of name: String, isSet: Bool) {
    if !isSet { refused.insert(name) } else if policy != .never { kept.forget(name) }
  }

  private func request(
    _ policy: KWinRotationPolicy, of name: String, ended: @escaping (KWinConfiguration.Answer) -> Void
  ) -> KWinConfiguration? {
    guard let output = outputs[name], outputs.canSetPolicy else { return nil }
    let configuration = outputs.configuration(ended: ended)
    configuration?.set(policy, of: output)
    configuration?.apply()
    return configuration
  }

  private func answered(_ answer: KWinConfiguration.Answer, _ policy: KWinRotationPolicy, _ name: String) {
    pending[name] = nil
    ended(policy, of: name, isSet: answer == .applied)
    if answer != .applied { note(.cannotSwitch(name)) }
    update()
  }

  private func restoreAndWait(_ policy: KWinRotationPolicy, of name: String, on last: Bus?) -> Bool {
    if name == Self.kscreenName { return kscreen?.setAndWait(policy, on: last) == true }
    let connection = outputs.connection
    var answer: KWinConfiguration.Answer?
    guard connection.failure == nil, let configuration = request(policy, of: name, ended: { answer = $0 })
    else { return false }
    try? connection.waitForEvents(until: EventLoop.now + Self.exitTimeout) { answer != nil }
    return withExtendedLifetime(configuration) { answer == .applied }
  }

  private static let exitTimeout: Int64 = 500_000_000
}

extension Message {
  fileprivate static let cannotKeep = Self(
    .desktopNotSwitched, "the setting of KWin's own rotation cannot be saved in XDG_STATE_HOME",
    next: "if autorotate is killed, switch it on again in System Settings, Display Configuration")

  fileprivate static func cannotSwitch(_ name: String) -> Self {
    Self(
      .desktopNotSwitched, "KWin refused to switch its own rotation of \(name)",
      next: "switch it in System Settings, Display Configuration")
  }
}

/// Whether KWin is in tablet mode: by a tablet-mode switch, or without one if a touchscreen but no mouse or keyboard
/// is attached.
enum KWinTabletMode {
  static let target = BusTarget(
    service: "org.kde.KWin", path: "/org/kde/KWin", interface: "org.kde.KWin.TabletModeManager")
  private static let timeout = Duration.seconds(4)

  /// - Parameter completion: receives `nil` where KWin does not report it.
  static func ask(_ bus: Bus, _ completion: @escaping (Bool?) -> Void) {
    let property = [Value.string(target.interface), .string("tabletMode")]
    bus.ask(target.properties, "Get", property, timeout: timeout) { completion(try? $0.get().read(0)) }
  }
}

/// When KWin rotates an output automatically: a setting of each internal display.
enum KWinRotationPolicy: UInt32, CaseIterable, Sendable {
  // The protocol's numbers (kde_output_device_v2.auto_rotate_policy).
  case never, inTabletMode, always

  /// As written to a file.
  var word: String { ["never", "in-tablet-mode", "always"][Int(rawValue)] }

  /// The message for the user; `nil` for `never`.
  var message: Message? {
    guard self != .never else { return nil }
    let when: Phrase = self == .inTabletMode ? "in tablet mode" : "always"
    return Message(
      .desktopRotates, "KWin rotates the screen automatically (\(when))",
      next: "to let autorotate do it, set take-over = true under [display] in config.toml, "
        + "or set the orientation to manual in System Settings, Display Configuration")
  }
}

extension StateTable<KWinRotationPolicy> {
  /// The policies before autorotate switched KWin's own rotation off, kept over a crash in
  /// `$XDG_STATE_HOME/autorotate/kwin-rotation`.
  init(variable: (String) -> String?) {
    let file = StateFile(.state, "kwin-rotation", variable: variable)
    self.init(file, value: { word in KWinRotationPolicy.allCases.first { $0.word == word } }, word: \.word)
  }
}

/// The auto-rotation of Plasma 5 on Wayland, done by KScreen's module in kded5, not yet by KWin.
///
/// Its setting has no change signal, so it is read when kded5 starts, and whenever the outputs have changed.
final class KScreenRotation {
  static let target = BusTarget(
    service: "org.kde.kded5", path: "/modules/kscreen", interface: "org.kde.KScreen")
  /// A loaded module answers at once.
  private static let timeout = Duration.seconds(5)

  private let bus: Bus
  private let report: (KWinRotationPolicy?) -> Void
  private var watch: Subscription?
  private var isRunning = false
  /// Whether a change was sent and not answered.
  private(set) var isSetting = false

  /// - Parameter report: receives the policy; `nil` if it cannot rotate, without a sensor or when not running.
  init(_ bus: Bus, report: @escaping (KWinRotationPolicy?) -> Void) throws(BusError) {
    self.bus = bus
    self.report = report
    watch = try bus.watchName(Self.target.service) { [weak self] owner in
      self?.isRunning = owner != nil
      self?.ask()
    }
  }

  func ask() {
    guard isRunning else { return report(nil) }
    ask("isAutoRotateAvailable") { [weak self] isAvailable in
      guard let self else { return }
      guard isAvailable else { return report(nil) }
      ask("getAutoRotate") { [weak self] in self?.report($0 ? .inTabletMode : .never) }
    }
  }

  /// - Parameter ended: receives whether it succeeded, before the new policy is reported.
  func set(_ policy: KWinRotationPolicy, ended: @escaping (_ isSet: Bool) -> Void) {
    isSetting = true
    bus.ask(Self.target, "setAutoRotate", [.bool(policy != .never)], timeout: Self.timeout) { [weak self] in
      self?.isSetting = false
      ended($0.failure == nil)
      self?.ask()
    }
  }

  /// Called before the process ends.
  /// - Parameter last: a connection that is still open.
  /// - Returns: whether it succeeded.
  func setAndWait(_ policy: KWinRotationPolicy, on last: Bus?) -> Bool {
    let answer = try? last?.callAndWait(
      Self.target, "setAutoRotate", [.bool(policy != .never)], timeout: .milliseconds(500))
    return answer != nil
  }

  private func ask(_ question: String, then: @escaping (Bool) -> Void) {
    bus.ask(Self.target, question, timeout: Self.timeout) { answer in
      // A kded5 without that module does not rotate.
      then((try? answer.get().read(0, as: Bool.self)) ?? false)
    }
  }
}
