// SPDX-License-Identifier: MIT

/// Weighs all that tells of the posture, since each of it may lie or be missing.
///
///     hinge    laptop ──200°──┐tablet ─────────160°──┐laptop
///     switch   laptop ───────── tablet ────────────── laptop     agree: the switch, and the hinge may rest
///     switch   laptop ─────────────────────────────────────      never moved while the angle crossed: the hinge
///     switch   laptop ───────── tablet ── laptop ── 2 s │        wrong at some angle: the hinge, once that lasts
///     switch   ···············  (none, or not yet)               the hinge; without one unknown, never laptop
///     switch   tablet, hinge tent                                the finer word, where somebody asks for it
///
/// A hinge is believed against a switch only after its angle has crossed: one whose base is mounted otherwise than the
/// system says measures nonsense, but the same nonsense in each posture.
struct PostureJudge: Sendable {
  /// How long a switch that has moved may contradict the hinge: four readings.
  static let contradictionTime = Duration.seconds(2)
  /// How long the hinge is measured after a switch has moved, though both agreed before: enough for a hinge that begins
  /// to look while it is folded (2 s) and for a contradiction.
  static let verifyingTime = Duration.seconds(6)

  /// Whose word counts, by the settings.
  var choice = TabletSwitchChoice.automatic
  /// Whether somebody tells tent and stand from a tablet. Else a switch that is right lets the hinge rest, and what the
  /// hinge said of them would soon be old.
  var tellsShape = false
  /// What the person said, which goes before everything.
  var byHand: Posture?
  private(set) var isLidClosed = false
  private(set) var statements: [PostureWitness: PostureStatement] = [:]
  private(set) var hasHeard = false
  private(set) var hinge = HingeWord()
  /// When the angle last crossed between laptop and tablet.
  private(set) var crossedAt: Instant?
  /// Since when a hinge that was sure and the switches say different things.
  private(set) var contradictedSince: Instant?
  /// What hinge and switches agreed on after the angle had crossed.
  private var agreed: Set<Posture> = []
  private(set) var posture = Posture.unknown
  var told: Set<Message> = []
  /// Keyboards that were there once.
  private(set) var everAttached: Set<PostureWitness> = []

  mutating func hear(_ evidence: PostureEvidence, at now: Instant) {
    isLidClosed = evidence.isLidClosed
    let before = Set(statements.keys)
    for witness in before where evidence.words[witness] == nil { statements[witness] = nil }
    for (witness, word) in evidence.words {
      let new = PostureStatement(word, isLate: hasHeard, isContact: witness.kind == .keyboard, at: now)
      statements[witness, default: new].change(to: word, at: now)
    }
    if before != Set(statements.keys) { agreed = [] }
    everAttached.formUnion(evidence.words.filter { $0.key.kind == .keyboard && $0.value == .laptop }.keys)
    hasHeard = true
  }

  mutating func hear(_ word: HingeWord, at now: Instant) {
    let before = hinge.posture
    hinge = word
    guard before != .unknown, word.posture != .unknown else { return }
    if before.countsAsTablet != word.posture.countsAsTablet { crossedAt = now }
  }

  /// Draws the conclusion. To be called after anything was heard, and when `deadline` has come.
  mutating func conclude(at now: Instant) {
    for witness in statements.keys { statements[witness]?.update(at: now) }
    noteContradiction(at: now)
    posture = conclusion(at: now)
  }

  private mutating func noteContradiction(at now: Instant) {
    let isNew = contradictedSince.map { $0 < movedAt ?? $0 } ?? true
    if !contradicts {
      contradictedSince = nil
      if crossedAt != nil, switchWord != .unknown, hinge.posture != .unknown { agreed.insert(switchWord) }
    } else if isNew {
      contradictedSince = hinge.isSure ? now : nil
    }
    if isContradictionLasting(at: now) { agreed = [] }
  }

  func isContradictionLasting(at now: Instant) -> Bool {
    crossedAt != nil && contradictedSince.map { $0 + Self.contradictionTime <= now } ?? false
  }

  /// Folded comes before docked, since some firmware calls any keyboard a dock. What the settings name as keyboard comes
  /// before a switch or hinge that is not folded: there is nothing to fold where it is taken off.
  private func conclusion(at now: Instant) -> Posture {
    if let byHand { return byHand }
    let folded = fold(at: now)
    if folded.isTablet { return folded }
    if isDocked { return .docked }
    return keyboardWord == .unknown ? folded : keyboardWord
  }

  private var keyboardWord: Posture {
    statements.first { $0.key.kind == .keyboard }?.value.counts ?? .unknown
  }

  private func fold(at now: Instant) -> Posture {
    let word = switchWord
    if word == .unknown || contradicts && hingePrevails(at: now) { return hinge.posture }
    return tellsShape && word == .tablet && hinge.posture.isTablet ? hinge.posture : word
  }

  private var isDocked: Bool {
    statements.contains { $0.key.kind == .dock && $0.value.counts == .docked }
  }

  // MARK: Switches against the hinge

  /// Those whose word the settings want.
  var chosen: [PostureWitness: PostureStatement] { statements.filter { isChosen($0.key) } }

  /// Those that count. One that has moved goes before those that never have: machines have a second one that is dead.
  var obeyed: [PostureWitness: PostureStatement] {
    let all = chosen
    let moved = all.filter { $0.value.changedAt != nil }
    return moved.isEmpty ? all : moved
  }

  private func isChosen(_ witness: PostureWitness) -> Bool {
    switch choice {
    case .automatic: witness.kind == .tabletSwitch
    case .named(let name): [.tabletSwitch, .keys].contains(witness.kind) && witness.isCalled(name)
    case .none: false
    }
  }

  /// What the switches say together.
  var switchWord: Posture {
    let words = Set(obeyed.values.map(\.counts))
    let folded = words.filter(\.isTablet)
    if let word = folded.first { return folded.count == 1 ? word : .tablet }
    return words.contains(.laptop) ? .laptop : .unknown
  }

  /// Whether any tablet switch says that it is unfolded, be it chosen or not: desktops go by any.
  var isAnySwitchOff: Bool {
    statements.contains { $0.key.kind == .tabletSwitch && $0.value.counts == .laptop }
  }

  private var movedAt: Instant? { obeyed.values.compactMap(\.changedAt).max() }

  private var contradicts: Bool {
    let word = switchWord
    guard word != .unknown, hinge.posture != .unknown else { return false }
    return word.countsAsTablet != hinge.posture.countsAsTablet
  }

  func hingePrevails(at now: Instant) -> Bool {
    guard let crossedAt else { return false }
    return movedAt.map { $0 <= crossedAt } ?? true || isContradictionLasting(at: now)
  }

  // MARK: What it tells and needs

  func testimonies(at now: Instant) -> [PostureTestimony] {
    let counting = counting(at: now)
    let devices = statements.sorted { $0.key < $1.key }.map { witness, statement in
      PostureTestimony(
        witness: witness, says: statement.says, changedAt: statement.changedAt,
        counts: witness.kind == counting || counting == .tabletSwitch && obeyed[witness] != nil)
    }
    let person = byHand.map {
      PostureTestimony(witness: PostureWitness(kind: .hand, name: ""), says: $0, counts: true)
    }
    let angle = PostureTestimony(says: hinge.posture, changedAt: crossedAt, counts: counting == nil)
    return devices + (hinge.posture == .unknown ? [] : [angle]) + [person].compactMap { $0 }
  }

  /// What kind of word the posture follows, where `tabletSwitch` stands for keys, too; `nil` for the hinge.
  private func counting(at now: Instant) -> PostureWitness.Kind? {
    if byHand != nil { return .hand }
    let folded = fold(at: now)
    if !folded.isTablet {
      if isDocked { return .dock }
      if keyboardWord != .unknown { return .keyboard }
    }
    return switchWord == .unknown || switchWord != folded ? nil : .tabletSwitch
  }

  /// Whether the angle has to be measured. A switch that was right about it both ways is only verified when it moves; but
  /// none tells how a tablet stands.
  func needsHinge(at now: Instant) -> Bool {
    guard byHand == nil else { return false }
    guard switchWord != .unknown, isProven else { return true }
    if tellsShape, switchWord == .tablet { return true }
    return movedAt.map { now < $0 + Self.verifyingTime } ?? false
  }

  private var isProven: Bool { agreed.isSuperset(of: [.tablet, .laptop]) }

  func deadline(after now: Instant) -> Instant? {
    let dues = statements.values.compactMap(\.due)
    let contradiction = crossedAt == nil ? nil : contradictedSince.map { $0 + Self.contradictionTime }
    let verified = isProven ? movedAt.map { $0 + Self.verifyingTime } : nil
    return (dues + [contradiction, verified].compactMap { $0 }).filter { $0 > now }.min()
  }
}
