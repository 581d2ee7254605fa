// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language
import SensorSources

/// What was seen of all that tells of the posture.
struct PostureFacts {
  /// As they stand now.
  var devices: [PostureInspection] = []
  /// The accelerometer in the base, with which the hinge's angle can be told.
  var base: String?
  /// What a running daemon has heard since its start.
  var heard: [PostureReport] = []
  var choice = TabletSwitchChoice.automatic
  var rotateIn = Settings.RotateIn.always
  /// Why there is no tablet switch where there may be one.
  var missingButtonArray: Message?

  var findings: [Finding] {
    let all = devices.map(finding) + [hinge].compactMap(\.self)
    let folding = devices.contains { isChosen($0.witness) && !$0.isUnreliable }
    return folding || base != nil && isAnyChoice ? all : [nothing] + all
  }

  private static let name: Phrase = "posture switch"

  /// A hinge stands in for any switch, but not for one that was named.
  private var isAnyChoice: Bool {
    if case .named = choice { false } else { true }
  }

  private func isChosen(_ witness: PostureWitness) -> Bool {
    switch (witness.kind, choice) {
    case (.keyboard, _), (.tabletSwitch, .automatic): true
    case (.tabletSwitch, .named(let name)), (.keys, .named(let name)): witness.isCalled(name)
    default: false
    }
  }

  private func finding(_ device: PostureInspection) -> Finding {
    let witness = device.witness
    let words: Phrase = "\(witness.name) (\(witness.place))"
    if witness.kind == .keyboard { return keyboard(device) }
    if device.isUnreliable {
      return .notApplicable(
        Self.name, "\(words) is ignored: libinput lists its tablet switch as unreliable",
        next: "if it is right on this machine, write switch = \"\(witness.name)\" under [tablet]")
    }
    let name: Phrase = witness.kind == .dock ? "dock" : Self.name
    guard device.isReadable else { return refused(name, words, witness) }
    let known = heard.first { $0.node == witness.node && $0.kind == witness.kind.rawValue }
    let whole = Self.statement(of: words, says: Phrase(word: known?.says ?? device.says.rawValue), known)
    guard witness.kind == .dock || isChosen(witness) else {
      return .notApplicable(name, "\(whole); by the settings it does not count")
    }
    guard witness.kind != .dock, let known, !known.counts, contradicts(known) else {
      return .works(name, whole)
    }
    return .broken(
      name, .postureContradicted, "\(whole); something else counts, as it says otherwise",
      next: "if it is wrong each time, write switch = \"none\" under [tablet]")
  }

  private func keyboard(_ device: PostureInspection) -> Finding {
    let name = device.witness.name
    return device.says == .laptop
      ? .works("keyboard", "“\(name)” is there, which is a laptop")
      : Finding(
        "keyboard", .works,
        Message(
          .postureKeyboardMissing, "“\(name)” is not there, which is a tablet",
          next: "if it is attached, check keyboard under [tablet]: evtest as root lists all names"))
  }

  /// Whether what counts says something else; a tent or stand is what a switch calls a tablet.
  private func contradicts(_ known: PostureReport) -> Bool {
    heard.contains { other in
      other.counts && other.kind != PostureWitness.Kind.dock.rawValue && !other.agrees(with: known)
    }
  }

  /// - Parameter known: what a daemon has heard of it, with the time.
  private static func statement(of who: Phrase, says: Phrase, _ known: PostureReport?) -> Phrase {
    guard let known else { return "\(who) says \(says)" }
    return known.changed == 0
      ? "\(who) says \(says) and has not moved since autorotate started"
      : "\(who) says \(says) since \(StatusReport.clock(known.changed))"
  }

  private func refused(_ name: Phrase, _ words: Phrase, _ witness: PostureWitness) -> Finding {
    let refused: Phrase = "\(words) may not be read by your user"
    let next: Phrase =
      witness.kind == .keys
      ? "allow it by a udev rule: autorotate(5) has it under switch"
      : "install the udev rule 61-autorotate.rules and start the machine again"
    return rotateIn == .tablet && isChosen(witness)
      ? .broken(name, .postureUnknown, refused, next: next) : .notApplicable(name, refused, next: next)
  }

  private var hinge: Finding? {
    guard let base else { return nil }
    let words: Phrase = "its angle, with \(base)"
    guard let known = heard.first(where: { $0.kind == PostureReport.hinge }) else {
      return .works("hinge", "\(words), is measured where nothing else tells")
    }
    return .works("hinge", Self.statement(of: words, says: Phrase(word: known.says), known))
  }

  private var nothing: Finding {
    if case .named(let wanted) = choice {
      return .broken(
        Self.name, .postureSwitchMissing, "no device called “\(wanted)” tells of folding",
        next:
          "fold the device once, since some switches come with that; else write one of the names below as switch "
          + "under [tablet], or \"auto\"")
    }
    let words: Phrase =
      choice == .none
      ? "none, as the settings say; an unknown posture counts as tablet"
      : "the kernel tells none (SW_TABLET_MODE); an unknown posture counts as tablet"
    if let why = missingButtonArray, choice != .none {
      return Finding(Self.name, rotateIn == .tablet ? .broken : .notApplicable, why)
    }
    guard rotateIn == .tablet else { return .notApplicable(Self.name, words) }
    return .broken(
      Self.name, .postureUnknown, words,
      next: "rotate-in = \"tablet\" has no effect here: see whether a driver is missing (intel-vbtn, "
        + "intel-hid, soc_button_array), or use --hold and --release")
  }
}

extension PostureReport {
  fileprivate func agrees(with other: Self) -> Bool {
    guard let mine = Posture(rawValue: says), let others = Posture(rawValue: other.says) else {
      return says == other.says
    }
    return mine.isKind(of: others)
  }
}

extension PostureWitness {
  /// "/dev/input/event6, intel-hid"
  fileprivate var place: String { driver.isEmpty ? node : "\(node), \(driver)" }
}
