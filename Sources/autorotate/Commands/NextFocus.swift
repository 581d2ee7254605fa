// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Glibc
import Language
import System

/// Waits until a person says which application is meant: by a click or a touch, which X11 lets us see, or by bringing
/// another one to the front.
@MainActor enum NextFocus {
  private static let patience = Duration.seconds(10)

  /// - Returns: `nil` for the one in front.
  static func wait() throws -> PickedWindow? {
    let loop = try EventLoop()
    let bus = try FollowCommand.connect(.session, loop)
    var first: String?
    var found: PickedWindow?
    var picker: WindowPicker?
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
        picker = WindowPicker(loop: loop) { window in
          found = window
          end(window == nil ? noWindow : nil)
        }
        return Console.complain(localized("click, touch or choose a window within 10 seconds"))
      }
      if !report.application.isEmpty, report.application != known { end(nil) }
    }
    bus.onSilent = { end(ControlClient.failure(Bus.Kind.session.silence)) }
    bus.onClosed = { end(.notRunning) }
    _ = try withExtendedLifetime((timer, follower, picker)) { try loop.run() }
    if let failure { throw failure }
    return found
  }

  private static var noWindow: Message {
    Message(
      .commandFailed, "there is no application's window",
      next: "click on one, or see the names of those that are open with `autorotate windows`")
  }
}
