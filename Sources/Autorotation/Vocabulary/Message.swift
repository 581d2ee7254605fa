// SPDX-License-Identifier: MIT

/// A message to the user: the fact, and the next step where there is one. Scripts match the code.
///
///     let message = Message(.outputBlanked, "eDP-1 is off", next: "switch it on")
///     message.code.rawValue   "output.dark"
///     message.phrase          "eDP-1 is off: switch it on"
package struct Message: UserFacingError, Hashable, Sendable {
  package var code: Code
  package var what: Phrase
  package var next: Phrase?

  package init(_ code: Code, _ what: Phrase, next: Phrase? = nil) {
    self.code = code
    self.what = what
    self.next = next
  }

  /// The fact and the next step.
  package var phrase: Phrase { next.map { "\(what): \($0)" } ?? what }

  /// In English.
  package var description: String { phrase.description }
}

extension Message {
  /// The kind of message, for scripts. The codes are listed in autorotate(1); none is removed or gets another meaning.
  package enum Code: String, CaseIterable, Sendable {
    // Allowed orientations
    case settingsAllow = "settings.allow"
    case ruleAllows = "rule.allows"
    case ruleConflicts = "rule.gives-way"
    case rulePlays = "rule.plays"
    case ruleAwaitsPlay = "rule.awaits-play"
    case requestAllows = "request.allows"
    case requestNotAllowed = "request.gives-way"
    case requestAwaitsFocus = "request.awaits-focus"
    case moreRequests = "request.more"
    case lockOverApplications = "lock.over-apps"

    // Wanted orientation
    case locked = "lock.set"
    case lockedInPosture = "lock.posture"
    case unlockedOnce = "lock.follows-once"
    case paused = "hold.set"
    case rotatedByUser = "rotate.asked"
    case rulePauses = "rule.pauses"
    case onlyOneAllowed = "allowed.one"
    case notInTabletPosture = "posture.not-tablet"
    case postureUnknown = "posture.unknown"
    case postureContradicted = "posture.contradiction"
    case postureSwitchMissing = "posture.switch-missing"
    case postureSwitchAmbiguous = "posture.switch-ambiguous"
    case postureKeyboardMissing = "posture.keyboard-missing"
    case postureFlaps = "posture.flaps"
    case upright = "device.held"
    case notUpright = "device.keeps"

    // Result
    case notAllowed = "not-allowed"
    case notAllowedKeeps = "not-allowed.keeps"
    case notAllowedPreferred = "not-allowed.preferred"
    case notAllowedNearest = "not-allowed.nearest"
    case notOffered = "not-offered"
    case lockNotSaved = "lock.not-saved"

    // Obstacles
    case desktopRotates = "desktop.turns"
    case desktopNotRotating = "desktop.idle"
    case fingerOnScreen = "touch.finger"
    case rotating = "turn.under-way"
    case applicationUnknown = "application.unknown"
    case displayOff = "display.off"
    case sessionInactive = "session.inactive"
    case suspended = "system.suspended"
    case settingsFaulty = "settings.faulty"

    // The output to rotate
    /// The display system has not reported any output, or no longer does.
    case outputAwaited = "output.awaited"
    case outputNone = "output.none"
    case outputUnknown = "output.unknown"
    case outputBlanked = "output.dark"
    case outputUnplugged = "output.unplugged"
    case outputFixed = "output.fixed"
    case outputExternal = "output.external"
    case outputKept = "output.kept"
    /// A rotation switched the output off, and the display system refuses to switch it on again.
    case outputNotRestored = "output.not-restored"

    // A rotation
    case rotationRefused = "turn.refused"
    /// The display system reported success, but nothing changed.
    case rotationIgnored = "turn.ignored"
    /// The display system does not answer; it may still apply the rotation.
    case rotationUnanswered = "turn.unanswered"
    case rotationNoRoom = "turn.no-room"

    // The display system
    case displayNone = "display.none"
    case displaySeveral = "display.several"
    case displayUnreachable = "display.unreachable"
    case displayUnsupported = "display.unsupported"
    case displaySilent = "display.silent"
    case displayRefused = "display.refused"
    case displayEnded = "display.ended"
    case displayNonsense = "display.nonsense"

    case busUnreachable = "bus.unreachable"

    // Desktop, focus and input
    case desktopYields = "desktop.yields"
    case desktopNotSwitched = "desktop.not-switched"
    case focusKnown = "focus.known"
    case focusUnknown = "focus.unknown"
    case touchFollows = "touch.follows"
    case touchMisplaced = "touch.astray"
    case touchExternal = "touch.external"
    case touchNone = "touch.none"
    case inputRemapped = "input.remapped"
    case keyboardMissing = "keyboard.missing"
    case inputNotDisabled = "input.not-disabled"

    // The sensor
    case sensorNone = "sensor.none"
    case sensorUnusable = "sensor.unusable"
    case sensorBusy = "sensor.busy"
    case sensorRefused = "sensor.refused"
    case sensorRemoved = "sensor.gone"
    case sensorNotReadable = "sensor.not-readable"
    case sensorInvalidValues = "sensor.nonsense"
    case sensorNotAnswering = "sensor.silent"
    case sensorImplausible = "sensor.implausible"
    case sensorProxyAbsent = "sensor.proxy-absent"
    case sensorUnreachable = "sensor.unreachable"
    case sensorDeviceMissing = "sensor.device-missing"
    case sensorMountMatrix = "sensor.mount-matrix"
    case sensorGyroscope = "sensor.gyroscope"
    case sensorChanged = "sensor.changed"
    case traceUnreadable = "trace.unreadable"
    case traceEnded = "trace.ended"

    // Hooks
    case hookNotTrusted = "hook.not-trusted"
    case hookNotStarted = "hook.not-started"
    case hookFailed = "hook.failed"
    case hookTimedOut = "hook.late"

    // Commands; each code has an exit status
    case notRunning = "daemon.not-running"
    case alreadyRunning = "daemon.running"
    case conflictingProgram = "daemon.rival"
    case commandMistaken = "command.usage"
    case commandFailed = "command.failed"
    case commandNotPossible = "command.not-possible"

    // What doctor finds
    case works = "check.works"
    case notApplicable = "check.not-applicable"
  }
}
