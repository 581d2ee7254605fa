// SPDX-License-Identifier: MIT

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
    let keyboards = devices.keys.filter { $0.kind == .keyboard }
    guard let keyboard = keyboards.first, devices[keyboard]?.debounced == .tablet,
      !everAttached.contains(keyboard)
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
