// SPDX-License-Identifier: MIT

/// One step of the decision. Status, explain, logs and bus all show the same list.
package enum Reason: Equatable, Sendable {
  // Allowed orientations
  case desktopAllows(OrientationMask)
  case ruleAllows(OrientationMask, application: String, source: String)
  /// `request`: the application's own, if that overrides the rule; otherwise the settings do.
  case ruleConflicts(application: String, source: String, request: OrientationRequest?)
  case applicationPlays(application: String, source: String)
  case ruleAwaitsPlay(application: String, source: String)
  case requestAllows(OrientationMask, OrientationRequest)
  case requestNotAllowed(OrientationRequest)
  case requestAwaitsFocus(OrientationRequest)
  /// The number of requests without a reason of their own.
  case moreRequests(Int)
  case lockOverridesApplications

  // Wanted orientation
  case locked(InterfaceOrientation, Lock.End?)
  case lockedInPosture(InterfaceOrientation, Posture)
  case unlockedOnce
  case lockNotSaved(Message)
  case paused(InterfaceOrientation)
  /// `resumes`: whether rotating the device ends it; otherwise another reason follows.
  case rotatedByUser(InterfaceOrientation, resumes: Bool = true)
  case applicationPausesRotation(application: String, source: String)
  case onlyOneAllowed(InterfaceOrientation)
  case notInTabletPosture(Posture, InterfaceOrientation)
  case externalAttached(String, InterfaceOrientation)
  case upright(DeviceOrientation)
  case notUpright(DeviceOrientation)

  // Result
  case notAllowedKeepsCurrent(wanted: InterfaceOrientation, shown: InterfaceOrientation)
  case notAllowedUsesPreferred(wanted: InterfaceOrientation, preferred: InterfaceOrientation)
  case notAllowedUsesNearest(wanted: InterfaceOrientation, nearest: InterfaceOrientation)

  // Obstacles
  case desktopRotates(Message)
  case desktopNotRotating(Message)
  case waitsForFinger
  case rotating(InterfaceOrientation)
  case noSensor(Message)
  case sensorIsImplausible
  /// No output is known: the display system starts or ends, or is not there.
  case noOutputReported
  case noOutput(named: OutputChoice)
  case panelIsOff(String)
  /// `isOn`: one that is off is rotated later.
  case outputKept(String, InterfaceOrientation, isOn: Bool)
  case outputNotRestored(Message)
  case outputCannotRotate(output: String, InterfaceOrientation)
  /// Nothing has to rotate now, but the output supports one orientation only.
  case outputIsFixed(String)
  case lastRotationFailed(Message)
  case displayIsOff
  case sessionIsInactive
  case suspended
  case settingsAreFaulty(Phrase)

  /// For messages to the user.
  /// - Parameter panel: as for `InterfaceOrientation.name(on:)`.
  package func message(on panel: PanelAspect?) -> Message {
    switch self {
    case .desktopAllows(let mask): .init(.settingsAllow, "Your settings allow \(mask.names(on: panel)).")
    case .ruleAllows(let mask, let application, let source):
      .init(.ruleAllows, "\(application) shows \(mask.names(on: panel)) (\(source)).")
    case .ruleConflicts(_, let source, let request?):
      .init(
        .ruleConflicts,
        "\(request.application) asks for another orientation than its rule (\(source)), so the rule does not apply."
      )
    case .ruleConflicts(let application, let source, nil):
      .init(
        .ruleConflicts,
        "The rule for \(application) (\(source)) conflicts with your settings, so it does not apply.")
    case .applicationPlays(let application, let source):
      .init(.rulePlays, "\(application) is playing, so its rule applies (\(source)).")
    case .ruleAwaitsPlay(let application, let source):
      .init(.ruleAwaitsPlay, "\(application) is not playing, so its rule does not apply (\(source)).")
    case .requestAllows(let mask, let request):
      .init(
        .requestAllows,
        request.why.isEmpty
          ? "\(request.application) asks for \(mask.names(on: panel))."
          : "\(request.application) asks for \(mask.names(on: panel)): \(request.why).")
    case .requestNotAllowed(let request):
      .init(
        .requestNotAllowed,
        "\(request.application) requests an orientation that is not allowed now; the request is ignored.")
    case .requestAwaitsFocus(let request):
      .init(
        .requestAwaitsFocus,
        "The request of \(request.application) applies only while \(request.whileFocused ?? "") has focus.")
    case .moreRequests(1): .init(.moreRequests, "One more request is active.")
    case .moreRequests(let count): .init(.moreRequests, "\(count) more requests are active.")
    case .lockOverridesApplications:
      .init(.lockOverApplications, "The lock overrides app rules and requests.")
    case .lockNotSaved(let reason): reason
    case .locked(let orientation, nil): .init(.locked, "Locked (\(orientation.name(on: panel))).")
    case .locked(let orientation, .time?):
      .init(.locked, "Locked (\(orientation.name(on: panel))) for a time.")
    case .locked(let orientation, .unfolded?):
      .init(.locked, "Locked (\(orientation.name(on: panel))) until unfolded.")
    case .locked(let orientation, .focus(let application)?):
      .init(.locked, "Locked (\(orientation.name(on: panel))) while \(application) has focus.")
    case .lockedInPosture(let orientation, let posture):
      .init(
        .lockedInPosture,
        "Locked (\(orientation.name(on: panel))), as your settings require in \(posture.words) posture.")
    case .unlockedOnce: .init(.unlockedOnce, "Unlocked until the next rotation.")
    case .paused(let orientation): .init(.paused, "Auto-rotation is paused (\(orientation.name(on: panel))).")
    case .rotatedByUser(let orientation, resumes: false):
      .init(.rotatedByUser, "You asked for \(orientation.name(on: panel)).")
    case .rotatedByUser(let orientation, resumes: true):
      .init(
        .rotatedByUser,
        "You asked for \(orientation.name(on: panel)); auto-rotation resumes when you rotate the device.")
    case .applicationPausesRotation(let application, let source):
      .init(.rulePauses, "\(application) pauses auto-rotation (\(source)).")
    case .notInTabletPosture(let posture, let orientation):
      .init(
        .notInTabletPosture,
        "The device is in \(posture.words) posture, for which your settings require \(orientation.name(on: panel))."
      )
    case .onlyOneAllowed(let orientation):
      .init(.onlyOneAllowed, "Only \(orientation.name(on: panel)) is allowed.")
    case .upright(let device): .init(.upright, "Device orientation: \(device.name(on: panel)).")
    case .notUpright(.unknown):
      .init(.notUpright, "The device orientation is not known yet, so the screen keeps its orientation.")
    case .notUpright(let device):
      .init(
        .notUpright, "The device is flat (\(device.name(on: panel))), so the screen keeps its orientation.")
    case .notAllowedKeepsCurrent(let wanted, let shown):
      .init(
        .notAllowedKeeps,
        "The screen is \(shown.name(on: panel)), since \(wanted.name(on: panel)) is not allowed.")
    case .notAllowedUsesPreferred(let wanted, let preferred):
      .init(
        .notAllowedPreferred,
        "The app prefers \(preferred.name(on: panel)), since \(wanted.name(on: panel)) is not allowed.")
    case .notAllowedUsesNearest(let wanted, let nearest):
      .init(
        .notAllowedNearest,
        "The nearest allowed orientation is \(nearest.name(on: panel)), since \(wanted.name(on: panel)) is not allowed."
      )
    case .desktopRotates(let message), .desktopNotRotating(let message): message
    case .waitsForFinger: .init(.fingerOnScreen, "A finger is on the screen, or was a moment ago.")
    case .rotating(let orientation): .init(.rotating, "Rotating (\(orientation.name(on: panel))).")
    case .noSensor(let message): .init(message.code, "No sensor: \(message)")
    case .sensorIsImplausible: .init(.sensorImplausible, "The sensor delivers impossible values.")
    case .externalAttached(let output, let orientation):
      .init(
        .outputExternal,
        "Auto-rotation is off while \(output) is connected, by your settings; the screen stays \(orientation.name(on: panel))."
      )
    case .noOutputReported:
      .init(.outputAwaited, "The desktop reports no output at the moment, so nothing rotates.")
    case .noOutput(let chosen) where chosen.names.count > 1:
      .init(
        .outputUnknown,
        "None of \(chosen.names.joined(separator: ", ")), the outputs in your settings, is connected, so nothing "
          + "rotates. Check their names.")
    case .noOutput(let chosen) where chosen.isAutomatic:
      .init(
        .outputNone,
        "There is no built-in panel, so nothing rotates. Use --output NAME to rotate another display.")
    case .noOutput(let chosen) where chosen.isFromCommandLine:
      .init(
        .outputUnknown,
        "\(chosen.names[0]), given with --output, is not connected, so nothing rotates. Check its name.")
    case .noOutput(let chosen):
      .init(
        .outputUnknown,
        "\(chosen.names[0]), the output in your settings, is not connected, so nothing rotates. Check its name."
      )
    case .panelIsOff(let name): .init(.outputBlanked, "\(name) is off, so nothing rotates.")
    // Another display than the panel.
    case .outputKept(let output, let orientation, isOn: true):
      .init(.outputKept, "\(output) stays \(orientation.name(on: nil)), as you set it.")
    case .outputKept(let output, let orientation, isOn: false):
      .init(
        .outputKept,
        "\(output) is off. When it is on again, it is rotated (\(orientation.name(on: nil))).")
    case .outputNotRestored(let message): message
    case .outputCannotRotate(let output, let orientation):
      .init(.outputFixed, "\(output) cannot be rotated (\(orientation.name(on: panel))).")
    case .outputIsFixed(let output):
      .init(
        .outputFixed, "\(output) cannot be rotated: its graphics driver offers one orientation only",
        next: "see `autorotate doctor`")
    case .lastRotationFailed(let message): .init(message.code, "The last rotation failed: \(message)")
    case .displayIsOff: .init(.displayOff, "The display is off.")
    case .sessionIsInactive:
      .init(.sessionInactive, "Another session or a text console is active, so nothing rotates.")
    case .suspended: .init(.suspended, "The system is going to sleep.")
    case .settingsAreFaulty(let fault): .init(.settingsFaulty, "Error in the settings: \(fault)")
    }
  }
}

/// A lasting obstacle to rotation: the user has to act.
package enum Fault: CaseIterable, Sendable {
  case noSensor, implausibleSensor, noOutput, fixedOutput, outputNotRestored, lastRotationFailed,
    desktopNotRotating, settings
}

extension Reason {
  /// The fault that lasts while this is among the reasons.
  package var fault: Fault? {
    switch self {
    case .noSensor: .noSensor
    case .sensorIsImplausible: .implausibleSensor
    case .noOutput: .noOutput
    case .outputCannotRotate, .outputIsFixed: .fixedOutput
    case .outputNotRestored: .outputNotRestored
    case .lastRotationFailed: .lastRotationFailed
    case .desktopNotRotating: .desktopNotRotating
    case .settingsAreFaulty: .settings
    default: nil
    }
  }
}

extension Message.Code {
  private static let ofFaults: Set<Self> = [
    .outputNone, .outputUnknown, .outputFixed, .outputNotRestored, .desktopNotRotating, .settingsFaulty,
    .rotationRefused, .rotationIgnored, .rotationUnanswered, .rotationNoRoom, .traceUnreadable, .traceEnded,
    .busUnreachable,
  ]
  private static let ofNoFaults: Set<Self> = [
    .displayOff, .sensorGyroscope, .sensorChanged, .sensorMountMatrix,
  ]

  /// Whether a reason with this code is a fault, for clients that know only the code.
  package var isFault: Bool {
    let area = rawValue.prefix { $0 != "." }
    return Self.ofFaults.contains(self)
      || ["sensor", "display"].contains(area) && !Self.ofNoFaults.contains(self)
  }
}
