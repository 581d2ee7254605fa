// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// What a command asks of the daemon.
enum Deed: Equatable {
  /// Without a wish, what is shown.
  case lock(OrientationWish?, ControlClient.LockEnd?)
  case unlock
  case unlockOnce(seconds: UInt32)
  case toggleLock
  case rotate(OrientationWish, output: String?)
  case takeSuggestion
  case setPosture(PostureChoice)
  case hold, release

  @MainActor
  func perform(by client: ControlClient) throws(Message) {
    switch self {
    case .lock(let wish, let end): try client.lock(wish?.word ?? "", end: end)
    case .unlock: try client.unlock()
    case .unlockOnce(let seconds): try client.unlock(seconds: seconds)
    case .toggleLock: try client.toggleLock()
    case .rotate(let wish, let output): try client.rotate(wish.word, output: output)
    case .takeSuggestion: try client.takeSuggestion()
    case .setPosture(let choice): try client.setPosture(choice)
    case .hold: try client.hold(true)
    case .release: try client.hold(false)
    }
  }
}

// MARK: What came of it

extension Deed {
  /// Where the picture does not become what was asked for, in a sentence each.
  func surprises(in report: StatusReport) -> [String] {
    [surprisingPicture(report), surprisingPosture(report)].compactMap(\.self).map(localized)
      + [unsavedLock(report)].compactMap(\.self)
  }

  private func surprisingPicture(_ report: StatusReport) -> Phrase? {
    guard let asked = asked(report), report.orientation != asked else { return nil }
    let deed: Phrase = isLock ? "Locked to \(asked)" : "Asked for \(asked)"
    guard report.allowed.contains(asked) else {
      let allowed = report.allowed.joined(separator: ", ")
      return "\(deed), but allowed now is only \(allowed); autorotate --status tells why."
    }
    guard !report.isTurning, !report.waitsForFinger else { return nil }
    return "\(deed), which is not shown now; autorotate --status tells why."
  }

  /// The orientation that was asked for, as far as the words or the lock tell.
  private func asked(_ report: StatusReport) -> String? {
    switch self {
    case .lock(let wish?, _): wish.orientation?.word ?? (report.lock.isEmpty ? nil : report.lock)
    case .rotate(let wish, output: nil): wish.orientation?.word
    default: nil
    }
  }

  private func unsavedLock(_ report: StatusReport) -> String? {
    changesLock ? report.sentence(of: .lockNotSaved) : nil
  }

  private var changesLock: Bool {
    switch self {
    case .lock, .unlock, .toggleLock, .rotate(_, output: nil), .takeSuggestion: true
    case .unlockOnce, .rotate, .setPosture, .hold, .release: false
    }
  }

  private var isLock: Bool {
    if case .lock = self { true } else { false }
  }

  private func surprisingPosture(_ report: StatusReport) -> Phrase? {
    guard case .lock(_, .unfolded) = self, report.posture == Posture.unknown.rawValue else { return nil }
    return "This device does not tell whether it is unfolded, so the lock ends with: autorotate --unlock"
  }

  /// What it did, in one line for the person who typed it.
  func confirmation(in report: StatusReport) -> String {
    if turnsPanel, report.isTurning || report.waitsForFinger, let why = report.sentences.last { return why }
    return localized(confirming(report))
  }

  private var turnsPanel: Bool {
    switch self {
    case .hold, .setPosture, .rotate(_, output: _?): false
    default: true
    }
  }

  private func confirming(_ report: StatusReport) -> Phrase {
    switch self {
    case .rotate(_, let output?): "\(output) is turned, and stays so."
    case .rotate where report.lock.isEmpty, .takeSuggestion where report.lock.isEmpty:
      "The picture is turned to \(report.orientation)."
    case .unlockOnce where report.reasonCodes.contains(Message.Code.followsOnce.rawValue):
      "The picture follows the device once, and is locked again."
    case .setPosture: "The posture is \(report.postureWords)."
    case .hold: "Auto-rotation is on hold; to go on: autorotate release"
    case .release: "Auto-rotation goes on."
    default: "The picture is \(report.lockWords)."
    }
  }
}

extension StatusReport {
  var isTurning: Bool { reasonCodes.contains(Message.Code.turning.rawValue) }
  /// Of the reason with this code, if it is among them.
  func sentence(of code: Message.Code) -> String? {
    let index = reasonCodes.firstIndex(of: code.rawValue)
    return index.flatMap { sentences.indices.contains($0) ? sentences[$0] : nil }
  }

  var waitsForFinger: Bool { reasonCodes.contains(Message.Code.fingerOnScreen.rawValue) }
}
