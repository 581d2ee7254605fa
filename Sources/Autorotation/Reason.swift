// SPDX-License-Identifier: MIT

/// One step of why the picture is as it is. Status, explain, logs and bus all show the same list.
package enum Reason: Equatable, Sendable {
  // What is allowed
  case desktopAllows(OrientationMask)
  case ruleAllows(OrientationMask, application: String, source: String)
  case ruleGivesWay(application: String, source: String)
  case requestAllows(OrientationMask, OrientationRequest)
  case requestGivesWay(OrientationRequest)
  /// So many besides those that have a reason of their own.
  case moreRequests(Int)
  case lockWinsOverApplications

  // What is wanted
  case locked(InterfaceOrientation, Lock.End?)
  case onHold(InterfaceOrientation)
  case asked(InterfaceOrientation)
  case applicationPausesRotation(application: String, source: String)
  case onlyOneAllowed(InterfaceOrientation)
  case notInTabletPosture(Posture, InterfaceOrientation)
  case deviceIs(DeviceOrientation)
  case deviceKeeps(DeviceOrientation)

  // What comes of it
  case notAllowedKeepsCurrent(wanted: InterfaceOrientation, shown: InterfaceOrientation)
  case notAllowedTakesPreferred(wanted: InterfaceOrientation, preferred: InterfaceOrientation)
  case notAllowedTakesNearest(wanted: InterfaceOrientation, nearest: InterfaceOrientation)

  // What stands in the way
  case desktopTurns(String)
  case waitsForFinger
  case turning(InterfaceOrientation)
  case noSensor(String)
  case sensorIsImplausible
  case noOutput(named: String?)
  case panelIsDark(String)
  case outputCannotTurn(output: String, InterfaceOrientation)
  case turningFailed(String)
  case displayIsOff
  case sessionIsInactive
  case suspended
  case settingsAreFaulty(String)

  /// In words that a person understands, in English.
  package var sentence: String { phrase.description }

  package var phrase: Phrase {
    switch self {
    case .desktopAllows(let mask): "Your settings allow \(mask.words)."
    case .ruleAllows(let mask, let application, let source): "\(application) shows \(mask.words) (\(source))."
    case .ruleGivesWay(let application, let source):
      "The rule for \(application) (\(source)) leaves nothing that your settings allow, so it does not apply."
    case .requestAllows(let mask, let request):
      request.why.isEmpty
        ? "\(request.application) asks for \(mask.words)."
        : "\(request.application) asks for \(mask.words): \(request.why)."
    case .requestGivesWay(let request):
      "\(request.application) asks for what is not allowed now; its request gives way."
    case .moreRequests(1): "There is one request more."
    case .moreRequests(let count): "There are \(count) requests more."
    case .lockWinsOverApplications: "The lock is set to win over applications."
    case .locked(let orientation, nil): "Locked to \(orientation.word)."
    case .locked(let orientation, .at?): "Locked to \(orientation.word) for a time."
    case .locked(let orientation, .unfolded?): "Locked to \(orientation.word) until unfolded."
    case .locked(let orientation, .whileFocused(let application)?):
      "Locked to \(orientation.word) while \(application) has focus."
    case .onHold(let orientation): "Auto-rotation is on hold at \(orientation.word)."
    case .asked(let orientation):
      "You asked for \(orientation.word); auto-rotation goes on when the device turns."
    case .applicationPausesRotation(let application, let source):
      "\(application) pauses auto-rotation (\(source))."
    case .notInTabletPosture(let posture, let orientation):
      "The device is in \(posture.rawValue) posture, which shows \(orientation.word)."
    case .onlyOneAllowed(let orientation): "Only \(orientation.word) is allowed."
    case .deviceIs(let device): "The device is held \(device.rawValue)."
    case .deviceKeeps(.unknown): "The sensor has not told how the device is held, so the picture stays."
    case .deviceKeeps(let device): "The device lies \(device.rawValue), so the picture stays."
    case .notAllowedKeepsCurrent(let wanted, let shown):
      "\(wanted.word) is not allowed, so the picture stays \(shown.word)."
    case .notAllowedTakesPreferred(let wanted, let preferred):
      "\(wanted.word) is not allowed; the application prefers \(preferred.word)."
    case .notAllowedTakesNearest(let wanted, let nearest):
      "\(wanted.word) is not allowed; \(nearest.word) is nearest."
    case .desktopTurns(let who): Phrase(verbatim: who)
    case .waitsForFinger: "A finger is on the screen, or was a moment ago."
    case .turning(let orientation): "The picture is being turned to \(orientation.word)."
    case .noSensor(let reason): "No sensor: \(reason)"
    case .sensorIsImplausible: "The sensor delivers values that cannot be."
    case .noOutput(nil):
      "There is no built-in panel, so nothing is turned. Use --output NAME to turn another display."
    case .noOutput(let name?):
      "\(name), the output from your settings, is not there, so nothing is turned. Check its name."
    case .panelIsDark(let name): "\(name) is dark, so nothing is turned."
    case .outputCannotTurn(let output, let orientation): "\(output) cannot be turned to \(orientation.word)."
    case .turningFailed(let reason): "The last turn failed: \(reason)"
    case .displayIsOff: "The display is off."
    case .sessionIsInactive: "Another session or a text console is in front, so nothing is turned."
    case .suspended: "The system is going to sleep."
    case .settingsAreFaulty(let fault): "Error in the settings: \(fault)"
    }
  }
}
