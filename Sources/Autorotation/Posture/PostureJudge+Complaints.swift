// SPDX-License-Identifier: MIT

// What is wrong with those that tell of the posture; each is said once.
extension PostureJudge {
  /// - Returns: those that were not said before.
  mutating func complaints(at now: Instant) -> [Message] {
    let all = [contradiction(at: now), missing, missingKeyboard, namesakes].compactMap { $0 } + flapping
    return all.filter { told.insert($0).inserted }
  }

  private func contradiction(at now: Instant) -> Message? {
    guard isContradictionLasting(at: now), let witness = obeyed.keys.sorted().first else { return nil }
    return Message(
      .postureContradicted,
      "“\(witness.name)” says \(switchWord.words) while the hinge's angle says \(hinge.posture.words), so the hinge counts",
      next:
        "if the switch is wrong each time, write switch = \"none\" under [tablet]; if the hinge is, see how the two "
        + "accelerometers are mounted with: autorotate doctor")
  }

  /// One that comes with the first fold is not there before, and what it says is not guessed.
  private var missing: Message? {
    guard hasHeard, case .named(let name) = choice, chosen.isEmpty else { return nil }
    let names = Set(statements.keys.filter { [.tabletSwitch, .keys].contains($0.kind) }.map(\.name)).sorted()
    let there = names.map { "“\($0)”" }.joined(separator: ", ")
    return Message(
      .postureSwitchMissing,
      names.isEmpty
        ? "No device called “\(name)” tells of folding, nor does any other, so the posture is unknown until one comes"
        : "No device called “\(name)” tells of folding, so the posture is unknown until it comes; there is \(there)",
      next: "check switch under [tablet]: autorotate doctor shows what there is")
  }

  /// A name with a mistake in it looks like a cover that was taken off for ever.
  private var missingKeyboard: Message? {
    let keyboards = statements.keys.filter { $0.kind == .keyboard }
    guard let keyboard = keyboards.first, statements[keyboard]?.counts == .tablet,
      !everAttached.contains(keyboard)
    else { return nil }
    return Message(
      .postureKeyboardMissing,
      "No input device called “\(keyboard.name)” has been there yet, so the device counts as a tablet",
      next: "if it is attached, check keyboard under [tablet]: evtest as root lists all names")
  }

  private var namesakes: Message? {
    guard case .named(let name) = choice else { return nil }
    let all = chosen.keys.sorted()
    guard all.count > 1 else { return nil }
    let list = all.map { "\($0.node) (\($0.driver))" }.joined(separator: ", ")
    return Message(
      .postureSwitchAmbiguous,
      "\(all.count) devices are called “\(name)”: \(list). Those that have moved count",
      next: "name one of the drivers or nodes as switch under [tablet]")
  }

  private var flapping: [Message] {
    statements.filter(\.value.isFlapping).keys.sorted().map { witness in
      Message(
        .postureFlaps,
        "“\(witness.name)” says something else many times a second, so what it said last counts until it rests",
        next: witness.kind == .keyboard
          ? "clean its contacts; if it does not rest, take keyboard out of [tablet]"
          : "clean its contacts; if it does not rest, write switch = \"none\" under [tablet]")
    }
  }
}
