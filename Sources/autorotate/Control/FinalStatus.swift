// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The status after a rotation that is in progress, or waits for a finger, has ended.
@MainActor enum FinalStatus {
  /// Hooks may delay a rotation for longer, but a user at a prompt should not wait longer.
  private static let timeout = Duration.seconds(2)
  /// Hooks and the display system have less time than this together.
  static let rotationTimeout = Duration.seconds(8)

  /// - Returns: the last status that was received; `nil` if none was.
  static func awaited(for timeout: Duration = timeout) -> StatusReport? {
    var last: StatusReport?
    try? follow(timeout) { report in
      last = report
      return report?.awaitsRotation != true
    }
    return last
  }

  /// - Returns: whether the daemon has ended in time.
  static func awaitEnd() -> Bool {
    var hasEnded = false
    try? follow(timeout) { report in
      hasEnded = report == nil
      return hasEnded
    }
    return hasEnded
  }

  /// - Parameter isEnd: whether this status is the last to wait for.
  private static func follow(_ timeout: Duration, until isEnd: @escaping (StatusReport?) -> Bool) throws {
    let loop = try EventLoop()
    let bus = try FollowCommand.connect(.session, loop)
    let timer = try loop.timer(at: EventLoop.now + timeout.wholeNanoseconds) { loop.exit() }
    let follower = try StatusReport.follow(on: bus) { if isEnd($0) { loop.exit() } }
    _ = try withExtendedLifetime((timer, follower)) { try loop.run() }
  }
}
