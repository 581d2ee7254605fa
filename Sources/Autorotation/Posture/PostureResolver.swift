// SPDX-License-Identifier: MIT

/// Combines the posture inputs, since each of them may be wrong or missing.
///
///     hinge    laptop ──200°──┐tablet ─────────160°──┐laptop
///     switch   laptop ───────── tablet ────────────── laptop     agree: the switch is used, the hinge may stop
///     switch   laptop ─────────────────────────────────────      never changed while the angle crossed: the hinge
///     switch   laptop ───────── tablet ── laptop ── 2 s │        wrong at some angle: the hinge, once that lasts
///     switch   ···············  (none, or not yet)               the hinge; without one unknown, never laptop
///     switch   tablet, hinge tent                                the hinge, if tent and stand matter
///
/// A hinge overrides a switch only after its angle has crossed: if the base's mount matrix is wrong, the angle is
/// nonsense, but the same nonsense in each posture.
struct PostureResolver: Sendable {
  /// How long a switch that has changed may contradict the hinge: four readings.
  static let contradictionTime = Duration.seconds(2)
  /// How long the hinge is measured after a switch has changed, though both agreed before: enough for a hinge whose
  /// first reading comes while it is folded (2 s) and for a contradiction.
  static let verifyingTime = Duration.seconds(6)

  /// Which devices are used, by the settings.
  var choice = TabletSwitchChoice.automatic { didSet { if choice != oldValue { agreed = [] } } }
  /// Whether tent and stand matter. Otherwise the hinge is not measured while a switch is right, and what it measured
  /// of them would soon be outdated.
  var needsTabletShape = false
  /// The user's override of all inputs.
  var manualPosture: Posture?
  private(set) var isLidClosed = false
  private(set) var devices: [PostureInput: DebouncedPosture] = [:]
  private(set) var hasEvidence = false
  private(set) var hinge = HingeReading()
  /// When the angle last crossed between laptop and tablet.
  private(set) var crossedAt: Instant?
  /// Since when a clear hinge reading and the switches have differed.
  private(set) var contradictedSince: Instant?
  /// The postures in which hinge and switches agreed after the angle had crossed.
  private var agreed: Set<Posture> = []
  private(set) var posture = Posture.unknown
  var reported: Set<Message> = []
  /// Keyboards that were attached once.
  private(set) var everAttached: Set<PostureInput> = []

  mutating func update(with evidence: PostureEvidence, at now: Instant) {
    isLidClosed = evidence.isLidClosed
    let before = Set(devices.keys)
    for input in before where evidence.postures[input] == nil { devices[input] = nil }
    for (input, posture) in evidence.postures {
      let new = DebouncedPosture(posture, isLate: hasEvidence, isDetachable: input.kind == .keyboard, at: now)
      devices[input, default: new].change(to: posture, at: now)
    }
    if before != Set(devices.keys) { agreed = [] }
    everAttached.formUnion(evidence.postures.filter { $0.key.kind == .keyboard && $0.value == .laptop }.keys)
    hasEvidence = true
  }

  mutating func update(with reading: HingeReading, at now: Instant) {
    let before = hinge.posture
    hinge = reading
    guard before != .unknown, reading.posture != .unknown else { return }
    if before.isTreatedAsTablet != reading.posture.isTreatedAsTablet { crossedAt = now }
  }

  /// Updates the posture. To be called after each update of an input, and when `deadline` has come.
  mutating func update(at now: Instant) {
    for input in devices.keys { devices[input]?.update(at: now) }
    noteContradiction(at: now)
    posture = resolution(at: now).posture
  }

  private mutating func noteContradiction(at now: Instant) {
    let isNew = contradictedSince.map { $0 < movedAt ?? $0 } ?? true
    if !contradicts {
      contradictedSince = nil
      if crossedAt != nil, switchPosture != .unknown, hinge.posture != .unknown {
        agreed.insert(switchPosture)
      }
    } else if isNew {
      contradictedSince = hinge.isCertain ? now : nil
    }
    if isContradictionLasting(at: now) { agreed = [] }
  }

  func isContradictionLasting(at now: Instant) -> Bool {
    crossedAt != nil && contradictedSince.map { $0 + Self.contradictionTime <= now } ?? false
  }

  /// Folded has priority over docked, since some firmware reports any keyboard as a dock. The keyboard of the settings
  /// has priority over a switch or hinge that is not folded: without it there is nothing to fold.
  /// - Returns: the posture, and the kind of input that it comes from, where `tabletSwitch` includes keys; `nil` for
  ///   the hinge.
  private func resolution(at now: Instant) -> (posture: Posture, kind: PostureInput.Kind?) {
    if let manualPosture { return (manualPosture, .user) }
    let folded = foldedPosture(at: now)
    if !folded.isTablet {
      if isDocked { return (.docked, .dock) }
      if let posture = keyboard?.state.debounced, posture != .unknown { return (posture, .keyboard) }
    }
    return (folded, switchPosture == .unknown || switchPosture != folded ? nil : .tabletSwitch)
  }

  private var keyboard: (input: PostureInput, state: DebouncedPosture)? {
    devices.first { $0.key.kind == .keyboard }.map { ($0.key, $0.value) }
  }

  private func foldedPosture(at now: Instant) -> Posture {
    let posture = switchPosture
    if posture == .unknown || contradicts && hingeOverridesSwitch(at: now) { return hinge.posture }
    return needsTabletShape && posture == .tablet && hinge.posture.isTablet ? hinge.posture : posture
  }

  private var isDocked: Bool {
    devices.contains { $0.key.kind == .dock && $0.value.debounced == .docked }
  }

  // MARK: Switches against the hinge

  /// The devices that the settings select.
  var selected: [PostureInput: DebouncedPosture] { devices.filter { isSelected($0.key) } }

  /// The devices that are used. One that has changed has priority over those that never have: some machines have a
  /// second, dead switch.
  var effective: [PostureInput: DebouncedPosture] {
    let all = selected
    let moved = all.filter { $0.value.changedAt != nil }
    return moved.isEmpty ? all : moved
  }

  private func isSelected(_ input: PostureInput) -> Bool {
    switch choice {
    case .automatic: input.kind == .tabletSwitch
    case .named(let name): [.tabletSwitch, .keys].contains(input.kind) && input.matches(name)
    case .none: false
    }
  }

  var switchPosture: Posture {
    let postures = Set(effective.values.map(\.debounced))
    let folded = postures.filter(\.isTablet)
    if let posture = folded.first { return folded.count == 1 ? posture : .tablet }
    return postures.contains(.laptop) ? .laptop : .unknown
  }

  /// Whether any tablet switch reports unfolded, selected or not: desktops follow any.
  var isAnySwitchOff: Bool {
    devices.contains { $0.key.kind == .tabletSwitch && $0.value.debounced == .laptop }
  }

  private var movedAt: Instant? { effective.values.compactMap(\.changedAt).max() }

  private var contradicts: Bool {
    let posture = switchPosture
    guard posture != .unknown, hinge.posture != .unknown else { return false }
    return posture.isTreatedAsTablet != hinge.posture.isTreatedAsTablet
  }

  func hingeOverridesSwitch(at now: Instant) -> Bool {
    guard let crossedAt else { return false }
    return movedAt.map { $0 <= crossedAt } ?? true || isContradictionLasting(at: now)
  }

  // MARK: Readings and needs

  func readings(at now: Instant) -> [PostureReading] {
    let usedKind = resolution(at: now).kind
    let devices = devices.sorted { $0.key < $1.key }.map { input, state in
      PostureReading(
        input: input, posture: state.latest, changedAt: state.changedAt,
        isUsed: usedKind == .tabletSwitch ? effective[input] != nil : input.kind == usedKind)
    }
    let user = manualPosture.map {
      PostureReading(input: PostureInput(kind: .user, name: ""), posture: $0, isUsed: true)
    }
    let angle = PostureReading(posture: hinge.posture, changedAt: crossedAt, isUsed: usedKind == nil)
    return devices + (hinge.posture == .unknown ? [] : [angle]) + [user].compactMap { $0 }
  }

  /// Whether the angle has to be measured. A switch that was right both ways is only verified when it changes; but no
  /// switch distinguishes tent and stand.
  func needsHinge(at now: Instant) -> Bool {
    guard manualPosture == nil else { return false }
    guard switchPosture != .unknown, isSwitchVerified else { return true }
    if needsTabletShape, switchPosture == .tablet { return true }
    return movedAt.map { now < $0 + Self.verifyingTime } ?? false
  }

  private var isSwitchVerified: Bool { agreed.isSuperset(of: [.tablet, .laptop]) }

  func deadline(after now: Instant) -> Instant? {
    let dues = devices.values.compactMap(\.due)
    let contradiction = crossedAt == nil ? nil : contradictedSince.map { $0 + Self.contradictionTime }
    let verified = isSwitchVerified ? movedAt.map { $0 + Self.verifyingTime } : nil
    return (dues + [contradiction, verified].compactMap { $0 }).filter { $0 > now }.min()
  }
}

// Problems of the posture inputs; each is reported once.
extension PostureResolver {
  /// - Returns: those that were not reported before.
  mutating func newProblems(at now: Instant) -> [Message] {
    let all = [contradiction(at: now), missing, missingKeyboard, ambiguousName].compactMap { $0 } + flapping
    return all.filter { reported.insert($0).inserted }
  }

  private func contradiction(at now: Instant) -> Message? {
    guard isContradictionLasting(at: now), let input = effective.keys.sorted().first else { return nil }
    return Message(
      .postureContradicted,
      "“\(input.name)” reports \(switchPosture.words) while the hinge angle indicates \(hinge.posture.words), so the hinge is used",
      next:
        "if the switch is always wrong, set switch = \"none\" under [tablet]; if the hinge is, run autorotate doctor "
        + "to see how the two accelerometers are mounted")
  }

  /// A switch that appears at the first fold is missing before, and its state is not guessed.
  private var missing: Message? {
    guard hasEvidence, case .named(let name) = choice, selected.isEmpty else { return nil }
    let names = Set(devices.keys.filter { [.tabletSwitch, .keys].contains($0.kind) }.map(\.name)).sorted()
    let there = names.map { "“\($0)”" }.joined(separator: ", ")
    return Message(
      .postureSwitchMissing,
      names.isEmpty
        ? "No device called “\(name)” reports folding, nor does any other, so the posture is unknown until one appears"
        : "No device called “\(name)” reports folding, so the posture is unknown until it appears; available: \(there)",
      next: "check switch under [tablet]; autorotate doctor lists the devices")
  }

  /// A misspelled name looks like a cover that stays detached.
  private var missingKeyboard: Message? {
    guard let (keyboard, state) = self.keyboard, state.debounced == .tablet, !everAttached.contains(keyboard)
    else { return nil }
    return Message(
      .postureKeyboardMissing,
      "No input device called “\(keyboard.name)” has been connected yet, so the device is treated as a tablet",
      next: "if it is attached, check keyboard under [tablet]: evtest as root lists all names")
  }

  private var ambiguousName: Message? {
    guard case .named(let name) = choice else { return nil }
    let all = selected.keys.sorted()
    guard all.count > 1 else { return nil }
    let list = all.map { "\($0.node) (\($0.driver))" }.joined(separator: ", ")
    return Message(
      .postureSwitchAmbiguous,
      "\(all.count) devices are called “\(name)”: \(list). Those that have changed are used",
      next: "set switch under [tablet] to one of the drivers or nodes")
  }

  private var flapping: [Message] {
    devices.filter(\.value.isFlapping).keys.sorted().map { input in
      Message(
        .postureFlaps,
        "“\(input.name)” changes many times a second, so its last state is used until it is stable",
        next: input.kind == .keyboard
          ? "clean its contacts; if that does not help, remove keyboard from [tablet]"
          : "clean its contacts; if that does not help, set switch = \"none\" under [tablet]")
    }
  }
}
