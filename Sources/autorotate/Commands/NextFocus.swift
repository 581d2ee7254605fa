// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// Waits until another application comes to the front, which is what a click or a touch does.
@MainActor enum NextFocus {
  private static let patience = Duration.seconds(10)

  static func wait() throws {
    let loop = try EventLoop()
    let bus = try FollowCommand.connect(.session, loop)
    var first: String?
    var failure: Message? = Message(
      .commandFailed, "no other application came to the front within 10 seconds",
      next: "see the names of those that did before with `autorotate windows`")
    func end(_ reason: Message?) {
      failure = reason
      loop.exit()
    }
    let timer = try loop.timer { loop.exit() }
    let follower = try StatusFollower(bus: bus) { report in
      guard let report else { return end(.notRunning) }
      guard let known = first else {
        first = report.application
        timer.arm(at: EventLoop.now + patience.wholeNanoseconds)
        return Console.complain(localized("click, touch or choose a window within 10 seconds"))
      }
      if !report.application.isEmpty, report.application != known { end(nil) }
    }
    bus.onSilent = { end(ControlClient.failure(Bus.Kind.session.silence)) }
    bus.onClosed = { end(.notRunning) }
    _ = try withExtendedLifetime((timer, follower)) { try loop.run() }
    if let failure { throw failure }
  }
}
