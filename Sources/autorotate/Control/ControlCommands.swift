// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

extension Autorotate {
  /// Executes what the options ask of a running daemon.
  /// - Returns: `nil` if they ask nothing of it.
  @MainActor
  func askDaemon() throws -> ExitStatus? {
    if status { return try printStatus() }
    if quit {
      try Quit.run()
      return .done
    }
    guard let deed else { return nil }
    let client = try ControlClient()
    try deed.perform(by: client)
    tell(of: deed, by: client)
    return .done
  }

  /// A failure to find more to say is not a failure of the command. Only a person is told that it was done.
  @MainActor
  private func tell(of deed: Deed, by client: ControlClient) {
    guard var report = try? client.status() else { return }
    let hasReader = isatty(STDOUT_FILENO) == 1
    if hasReader, report.isTurning { report = SettledStatus.awaited() ?? report }
    let surprises = deed.surprises(in: report)
    surprises.forEach(Console.complain)
    if hasReader, surprises.isEmpty { Console.say(deed.confirmation(in: report)) }
  }

  @MainActor
  private func printStatus() throws -> ExitStatus {
    if form.follow { return try FollowCommand.run(as: statusForm) }
    do throws(Message) {
      Console.say(statusForm.whole(try ControlClient().status()))
      return .done
    } catch {
      // A bar that asks from time to time shows that, too.
      guard error.code == .notRunning, form.format != nil else { throw error }
      Console.say(statusForm.line(nil))
      return .notRunning
    }
  }

  private var statusForm: StatusForm {
    form.format.map(StatusForm.bar) ?? (form.json ? .json : .people)
  }

  var deed: Deed? {
    if let lock { return .lock(lock.wish, lockEnd.end) }
    if let rotate { return deed(of: rotate) }
    if unlock { return lockEnd.duration.map { .unlockOnce(seconds: $0.seconds) } ?? .unlock }
    if let posture { return .setPosture(posture) }
    if toggleLock { return .toggleLock }
    if hold { return .hold }
    return release ? .release : nil
  }

  private func deed(of target: RotateTarget) -> Deed {
    switch target {
    case .offered: .takeSuggestion
    case .to(let wish) where lockEnd.untilUnfolded: .lock(wish, .unfolded)
    case .to(let wish): .rotate(wish, output: daemon.output)
    }
  }
}
