// SPDX-License-Identifier: MIT

import Autorotation
import Language

extension Autorotate {
  /// Executes what the options ask of a running daemon.
  /// - Returns: `nil` if they ask nothing of it.
  @MainActor
  func askDaemon() throws -> ExitStatus? {
    if status { return try printStatus() }
    guard let request else { return nil }
    let client = try ControlClient()
    try request(client)
    // A failure to find more to say is not a failure of the command.
    if let report = try? client.status() { surprises(in: report).forEach(Console.complain) }
    return .done
  }

  @MainActor
  private func printStatus() throws -> ExitStatus {
    if follow { return try FollowCommand.run(as: statusForm) }
    do throws(Message) {
      Console.say(statusForm.whole(try ControlClient().status()))
      return .done
    } catch {
      // A bar that asks from time to time shows that, too.
      guard error == .notRunning, format != nil else { throw error }
      Console.say(statusForm.line(nil))
      return .notRunning
    }
  }

  private var statusForm: StatusForm {
    format.map(StatusForm.bar) ?? (json ? .json : .people)
  }

  /// Where the picture does not become what was asked for, in a sentence each.
  func surprises(in report: StatusReport) -> [String] {
    [surprisingPicture(report), surprisingPosture(report)].compactMap(\.self).map(localized)
  }

  private func surprisingPicture(_ report: StatusReport) -> Phrase? {
    let wish = daemon.output == nil ? rotate?.orientation : nil
    guard let asked = (lock?.orientation ?? wish)?.word, report.orientation != asked else { return nil }
    let deed: Phrase = lock == nil ? "Asked for \(asked)" : "Locked to \(asked)"
    guard report.allowed.contains(asked) else {
      let allowed = report.allowed.joined(separator: ", ")
      return "\(deed), but allowed now is only \(allowed); autorotate --status tells why."
    }
    let coming: [Message.Code] = [.turning, .fingerOnScreen]
    guard coming.allSatisfy({ !report.reasonCodes.contains($0.rawValue) }) else { return nil }
    return "\(deed), which is not shown now; autorotate --status tells why."
  }

  private func surprisingPosture(_ report: StatusReport) -> Phrase? {
    guard lockEnd.untilUnfolded, report.posture == Posture.unknown.rawValue else { return nil }
    return "This device does not tell whether it is unfolded, so the lock ends with: autorotate --unlock"
  }

  @MainActor
  private var request: ((ControlClient) throws -> Void)? {
    if let lock { return { try $0.lock(lock.orientation?.word ?? "", end: lockEnd.end) } }
    if let rotate, lockEnd.untilUnfolded { return { try $0.lock(rotate.word, end: .unfolded) } }
    if let rotate { return { [output = daemon.output] in try $0.rotate(rotate.word, output: output) } }
    if unlock, let duration = lockEnd.duration { return { try $0.unlock(seconds: duration.seconds) } }
    if unlock { return { try $0.unlock() } }
    if let posture { return { try $0.setPosture(posture) } }
    if toggleLock { return { try $0.toggleLock() } }
    if hold { return { try $0.hold(true) } }
    if release { return { try $0.hold(false) } }
    return nil
  }
}

extension LockTarget {
  /// `nil` for what is shown.
  var orientation: InterfaceOrientation? {
    switch self {
    case .shown: nil
    case .orientation(let orientation): orientation
    }
  }
}
