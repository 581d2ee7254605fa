// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import SensorSources

extension Examination {
  var postures: [Finding] {
    let all = postureDevices.map(posture) + hinge
    return hasSwitch || measuresHinge && isAnySwitch ? all : [noSwitch] + all
  }

  private var hasSwitch: Bool { postureDevices.contains { isChosen($0.input) && !$0.isUnreliable } }

  private static let name: Phrase = "posture switch"

  private var switchChoice: TabletSwitchChoice { configuration.settings.tabletSwitch }

  private var rotatesOnlyTablets: Bool { configuration.settings.rotateIn == .tablet }

  /// The readings of a running daemon since its start.
  private var daemonReports: [PostureReport] { status?.postureEvidence ?? [] }

  private var measuresHinge: Bool {
    guard let found = try? accelerometer.get() else { return false }
    return found.base != nil || (try? found.hinge.get()) != nil
  }

  /// The hinge angle can replace any switch except one that the settings name.
  private var isAnySwitch: Bool {
    if case .named = switchChoice { false } else { true }
  }

  private func isChosen(_ input: PostureInput) -> Bool {
    switch (input.kind, switchChoice) {
    case (.keyboard, _), (.tabletSwitch, .automatic): true
    case (.tabletSwitch, .named(let name)), (.keys, .named(let name)): input.matches(name)
    default: false
    }
  }

  private func posture(_ device: PostureInspection) -> Finding {
    let input = device.input
    let place = input.driver.isEmpty ? input.node : "\(input.node), \(input.driver)"
    let words: Phrase = "\(input.name) (\(place))"
    if input.kind == .keyboard { return cover(device) }
    if device.isUnreliable {
      return .notApplicable(
        Self.name, "\(words) is ignored: libinput lists its tablet switch as unreliable",
        next: "if it is right on this machine, set switch = \(JSON.string(input.name)) under [tablet]")
    }
    let name: Phrase = input.kind == .dock ? "dock" : Self.name
    guard device.isReadable else { return unreadable(name, words, input) }
    let known = daemonReports.first { $0.node == input.node && $0.kind == input.kind.rawValue }
    let whole = Self.statement(of: words, says: Phrase(word: known?.says ?? device.says.rawValue), known)
    guard input.kind == .dock || isChosen(input) else {
      return .notApplicable(name, "\(whole); the settings do not use it")
    }
    guard input.kind != .dock, let known, !known.counts, contradicts(known) else {
      return .works(name, whole)
    }
    return .broken(
      name, .postureContradicted, "\(whole), but another posture sensor contradicts it and is used instead",
      next: "if it is always wrong, set switch = \"none\" under [tablet]")
  }

  private func cover(_ device: PostureInspection) -> Finding {
    let name = device.input.name
    return device.says == .laptop
      ? .works("keyboard", "“\(name)” is attached, so the device is a laptop")
      : Finding(
        "keyboard", .works,
        Message(
          .postureKeyboardMissing, "“\(name)” is not attached, so the device is a tablet",
          next:
            "if it is attached, check the name in keyboard under [tablet]; evtest, run as root, lists all names"
        ))
  }

  /// Whether the reading in use differs. A switch reports tent and stand as tablet.
  private func contradicts(_ known: PostureReport) -> Bool {
    daemonReports.contains { other in
      other.counts && other.kind != PostureInput.Kind.dock.rawValue && !other.agrees(with: known)
    }
  }

  /// - Parameter known: the daemon's reading, with its time.
  private static func statement(of sensor: Phrase, says: Phrase, _ known: PostureReport?) -> Phrase {
    guard let known else { return "\(sensor) reports \(says)" }
    return known.changed == 0
      ? "\(sensor) reports \(says), unchanged since autorotate started"
      : "\(sensor) reports \(says) since \(StatusReport.clock(known.changed))"
  }

  private func unreadable(_ name: Phrase, _ words: Phrase, _ input: PostureInput) -> Finding {
    let refusal: Phrase = "your user may not read \(words)"
    let next: Phrase =
      input.kind == .keys
      ? "allow it with a udev rule: see switch in autorotate(5)" : PostureInspection.stepIfRefused()
    return rotatesOnlyTablets && isChosen(input)
      ? .broken(name, .postureUnknown, refusal, next: next) : .notApplicable(name, refusal, next: next)
  }

  /// Measured by the kernel's hinge sensor, or by the accelerometer in the base.
  private var hinge: [Finding] {
    guard let found = try? accelerometer.get() else { return [] }
    if case .failure(let why) = found.hinge { return [.broken("hinge", why, next: "see `sudo dmesg`")] }
    let own = try? found.hinge.get()
    if own == nil, let problem = found.baseProblem {
      return [Finding("hinge", problem, isNeeded: rotatesOnlyTablets && !hasSwitch)]
    }
    guard let sensor = own ?? found.base else { return [] }
    let words: Phrase = "the hinge angle, with \(sensor),"
    guard let known = daemonReports.first(where: { $0.kind == PostureReport.hinge }) else {
      return [.works("hinge", "\(words) is measured if nothing else reports the posture")]
    }
    return [.works("hinge", Self.statement(of: words, says: Phrase(word: known.says), known))]
  }

  private var noSwitch: Finding {
    if case .named(let wanted) = switchChoice {
      return .broken(
        Self.name, .postureSwitchMissing, "no device called “\(wanted)” reports folding",
        next:
          "fold the device once, since some switches appear only then; otherwise set switch under [tablet] to one of "
          + "the names below, or to \"auto\"")
    }
    let words: Phrase =
      switchChoice == .none
      ? "disabled in the settings; an unknown posture is treated as tablet"
      : "the kernel reports none (SW_TABLET_MODE); an unknown posture is treated as tablet"
    if switchChoice != .none, let why = MissingDevice().buttonArray {
      return Finding(Self.name, why, isNeeded: rotatesOnlyTablets)
    }
    guard rotatesOnlyTablets else { return .notApplicable(Self.name, words) }
    return .broken(
      Self.name, .postureUnknown, words,
      next: "rotate-in = \"tablet\" has no effect here: check whether a driver is missing (intel-vbtn, "
        + "intel-hid, soc_button_array), or use `autorotate pause` and `autorotate resume`")
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
