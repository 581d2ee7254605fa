// SPDX-License-Identifier: MIT

/// One step of why the picture is as it is. Status, explain, logs and bus all show the same list.
package enum Reason: Equatable, Sendable {
  // What is allowed
  case desktopAllows(OrientationMask)
  case ruleAllows(OrientationMask, application: String, source: String)
  case ruleGivesWay(application: String, source: String)
  case applicationPlays(application: String, source: String)
  case ruleAwaitsPlay(application: String, source: String)
  case requestAllows(OrientationMask, OrientationRequest)
  case requestGivesWay(OrientationRequest)
  case requestAwaitsFocus(OrientationRequest)
  /// So many besides those that have a reason of their own.
  case moreRequests(Int)
  case lockWinsOverApplications

  // What is wanted
  case locked(InterfaceOrientation, Lock.End?)
  case lockedInPosture(InterfaceOrientation, Posture)
  case followsOnce
  case lockNotSaved(Message)
  case onHold(InterfaceOrientation)
  case asked(InterfaceOrientation)
  case applicationPausesRotation(application: String, source: String)
  case onlyOneAllowed(InterfaceOrientation)
  case notInTabletPosture(Posture, InterfaceOrientation)
  case externalAttached(String, InterfaceOrientation)
  case deviceIs(DeviceOrientation)
  case deviceKeeps(DeviceOrientation)

  // What comes of it
  case notAllowedKeepsCurrent(wanted: InterfaceOrientation, shown: InterfaceOrientation)
  case notAllowedTakesPreferred(wanted: InterfaceOrientation, preferred: InterfaceOrientation)
  case notAllowedTakesNearest(wanted: InterfaceOrientation, nearest: InterfaceOrientation)

  // What stands in the way
  case desktopTurns(Message)
  case desktopIdle(Message)
  case waitsForFinger
  case turning(InterfaceOrientation)
  case noSensor(Message)
  case sensorIsImplausible
  case noOutput(named: OutputChoice)
  case panelIsDark(String)
  case outputKept(String, InterfaceOrientation)
  case outputNotRestored(Message)
  case outputCannotTurn(output: String, InterfaceOrientation)
  case turningFailed(Message)
  case displayIsOff
  case sessionIsInactive
  case suspended
  case settingsAreFaulty(String)

  /// In words that a person understands.
  package var message: Message {
    switch self {
    case .desktopAllows(let mask): .init(.settingsAllow, "Your settings allow \(mask.words).")
    case .ruleAllows(let mask, let application, let source):
      .init(.ruleAllows, "\(application) shows \(mask.words) (\(source)).")
    case .ruleGivesWay(let application, let source):
      .init(
        .ruleGivesWay,
        "The rule for \(application) (\(source)) leaves nothing that your settings allow, so it does not apply."
      )
    case .applicationPlays(let application, let source):
      .init(.rulePlays, "\(application) plays, so its rule counts (\(source)).")
    case .ruleAwaitsPlay(let application, let source):
      .init(.ruleAwaitsPlay, "\(application) plays nothing, so its rule does not count (\(source)).")
    case .requestAllows(let mask, let request):
      .init(
        .requestAllows,
        request.why.isEmpty
          ? "\(request.application) asks for \(mask.words)."
          : "\(request.application) asks for \(mask.words): \(request.why).")
    case .requestGivesWay(let request):
      .init(
        .requestGivesWay,
        "\(request.application) asks for what is not allowed now; its request gives way.")
    case .requestAwaitsFocus(let request):
      .init(
        .requestAwaitsFocus,
        "What \(request.application) asks for holds only while \(request.whileFocused ?? "") has focus.")
    case .moreRequests(1): .init(.moreRequests, "There is one request more.")
    case .moreRequests(let count): .init(.moreRequests, "There are \(count) requests more.")
    case .lockWinsOverApplications:
      .init(.lockOverApplications, "The lock is set to win over applications.")
    case .lockNotSaved(let reason): reason
    case .locked(let orientation, nil): .init(.locked, "Locked to \(orientation.word).")
    case .locked(let orientation, .time?): .init(.locked, "Locked to \(orientation.word) for a time.")
    case .locked(let orientation, .unfolded?):
      .init(.locked, "Locked to \(orientation.word) until unfolded.")
    case .locked(let orientation, .focus(let application)?):
      .init(.locked, "Locked to \(orientation.word) while \(application) has focus.")
    case .lockedInPosture(let orientation, let posture):
      .init(
        .lockedInPosture,
        "Locked to \(orientation.word), as your settings have it in \(posture.words) posture.")
    case .followsOnce: .init(.followsOnce, "The lock is off until the next turn.")
    case .onHold(let orientation): .init(.onHold, "Auto-rotation is on hold at \(orientation.word).")
    case .asked(let orientation):
      .init(.asked, "You asked for \(orientation.word); auto-rotation goes on when the device turns.")
    case .applicationPausesRotation(let application, let source):
      .init(.rulePauses, "\(application) pauses auto-rotation (\(source)).")
    case .notInTabletPosture(let posture, let orientation):
      .init(
        .notInTabletPosture,
        "The device is in \(posture.words) posture, which shows \(orientation.word).")
    case .onlyOneAllowed(let orientation): .init(.onlyOneAllowed, "Only \(orientation.word) is allowed.")
    case .deviceIs(let device): .init(.deviceHeld, "The device is held \(device.rawValue).")
    case .deviceKeeps(.unknown):
      .init(.deviceKeeps, "The sensor has not told how the device is held, so the picture stays.")
    case .deviceKeeps(let device):
      .init(.deviceKeeps, "The device lies \(device.rawValue), so the picture stays.")
    case .notAllowedKeepsCurrent(let wanted, let shown):
      .init(.notAllowedKeeps, "\(wanted.word) is not allowed, so the picture stays \(shown.word).")
    case .notAllowedTakesPreferred(let wanted, let preferred):
      .init(.notAllowedPreferred, "\(wanted.word) is not allowed; the application prefers \(preferred.word).")
    case .notAllowedTakesNearest(let wanted, let nearest):
      .init(.notAllowedNearest, "\(wanted.word) is not allowed; \(nearest.word) is nearest.")
    case .desktopTurns(let message), .desktopIdle(let message): message
    case .waitsForFinger: .init(.fingerOnScreen, "A finger is on the screen, or was a moment ago.")
    case .turning(let orientation):
      .init(.turning, "The picture is being turned to \(orientation.word).")
    case .noSensor(let message): .init(message.code, "No sensor: \(message)")
    case .sensorIsImplausible: .init(.sensorImplausible, "The sensor delivers values that cannot be.")
    case .externalAttached(let output, let orientation):
      .init(
        .outputExternal,
        "\(output) is attached, beside which your settings let the device turn nothing: the picture stays "
          + "\(orientation.word).")
    case .noOutput(let chosen) where chosen.names.count > 1:
      .init(
        .outputUnknown,
        "None of \(chosen.names.joined(separator: ", ")), the outputs from your settings, is there, so nothing "
          + "is turned. Check their names.")
    case .noOutput(let chosen) where chosen.isAutomatic:
      .init(
        .outputNone,
        "There is no built-in panel, so nothing is turned. Use --output NAME to turn another display.")
    case .noOutput(let chosen) where chosen.isFromCommandLine:
      .init(
        .outputUnknown,
        "\(chosen.names[0]), given with --output, is not there, so nothing is rotated. Check its name.")
    case .noOutput(let chosen):
      .init(
        .outputUnknown,
        "\(chosen.names[0]), the output from your settings, is not there, so nothing is turned. Check its name."
      )
    case .panelIsDark(let name): .init(.outputDark, "\(name) is dark, so nothing is turned.")
    case .outputKept(let output, let orientation):
      .init(.outputKept, "\(output) stays \(orientation.word), as you turned it.")
    case .outputNotRestored(let message): message
    case .outputCannotTurn(let output, let orientation):
      .init(.outputFixed, "\(output) cannot be turned to \(orientation.word).")
    case .turningFailed(let message): .init(message.code, "The last turn failed: \(message)")
    case .displayIsOff: .init(.displayOff, "The display is off.")
    case .sessionIsInactive:
      .init(
        .sessionInactive, "Another session or a text console is in front, so nothing is turned.")
    case .suspended: .init(.suspended, "The system is going to sleep.")
    case .settingsAreFaulty(let fault): .init(.settingsFaulty, "Error in the settings: \(fault)")
    }
  }
}

/// What keeps the picture from turning and does not go away by itself: the person has to act.
package enum Fault: CaseIterable, Sendable {
  case noSensor, implausibleSensor, noOutput, fixedOutput, outputNotRestored, turningFailed, desktopIdle,
    settings
}

extension Reason {
  /// The fault that this tells of, for as long as it is among the reasons.
  package var fault: Fault? {
    switch self {
    case .noSensor: .noSensor
    case .sensorIsImplausible: .implausibleSensor
    case .noOutput: .noOutput
    case .outputCannotTurn: .fixedOutput
    case .outputNotRestored: .outputNotRestored
    case .turningFailed: .turningFailed
    case .desktopIdle: .desktopIdle
    case .settingsAreFaulty: .settings
    default: nil
    }
  }
}

extension Message.Code {
  private static let ofFaults: Set<Self> = [
    .outputNone, .outputUnknown, .outputFixed, .outputNotRestored, .desktopIdle, .settingsFaulty,
    .turnRefused, .turnIgnored,
    .turnUnanswered, .turnNoRoom, .traceUnreadable, .traceEnded, .busUnreachable,
  ]
  private static let ofNoFaults: Set<Self> = [
    .displayOff, .sensorGyroscope, .sensorChanged, .sensorMountMatrix,
  ]

  /// Whether a reason with this code tells of a fault, for who is told of codes only.
  package var tellsOfFault: Bool {
    let area = rawValue.prefix { $0 != "." }
    return Self.ofFaults.contains(self)
      || ["sensor", "display"].contains(area) && !Self.ofNoFaults.contains(self)
  }
}
