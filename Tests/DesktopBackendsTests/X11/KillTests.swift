// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing

@testable import DesktopBackends

extension OnServer {
  @Suite("a kill during a rotation")
  @MainActor
  struct Kill {
    init() throws {
      try Bench.reset()
    }

    /// A kill at any time in the sixth rotation: while it is planned, sent, or carried out.
    @Test(arguments: Array(stride(from: 0, to: 12_000, by: 300)))
    func `a kill leaves a complete rotation or none`(microseconds: Int) async throws {
      // Not captured: before Swift 6.3 an exit test inherits only the environment.
      setenv(OnServer.delay, "\(microseconds)", 1)
      await #expect(processExitsWith: .signal(SIGKILL)) { try await OnServer.rotateUntilKilled() }
      // The reply comes after the server has carried out the earlier requests.
      let state = try Bench.state()
      let panel = try #require(state.place(of: "eDP-1"))
      let monitor = try #require(state.place(of: "HDMI-1")).rectangle
      #expect(panel.rectangle.touches(monitor) && !panel.rectangle.overlaps(monitor))
      #expect(state.screen.size.width == panel.rectangle.maxX + monitor.width)
      for device in [Bench.touchscreen, Bench.pen] {
        let matrix = try Bench.matrix(of: device)
        #expect(matrix.isClose(to: TouchMatrix.mapping(to: panel)), "\(device) does not follow")
      }
    }
  }

  private nonisolated static let delay = "AUTOROTATE_KILLED_AFTER_MICROSECONDS"

  @MainActor
  static func rotateUntilKilled() throws {
    let microseconds = try #require(getenv(delay).flatMap { Int(String(cString: $0)) })
    let running = try RunningBackend()
    for rotation in 1...5 { try running.rotate("eDP-1", rotation % 2 == 1 ? .rotated90 : .none).get() }
    killMyself(after: microseconds)
    for rotation in 0... { try running.rotate("eDP-1", rotation % 2 == 0 ? .none : .rotated90).get() }
  }

  private static func killMyself(after microseconds: Int) {
    var event = sigevent()
    event.sigev_notify = Int32(SIGEV_SIGNAL)
    event.sigev_signo = SIGKILL
    var timer: timer_t?
    timer_create(CLOCK_MONOTONIC, &event, &timer)
    var moment = itimerspec()
    moment.it_value.tv_nsec = microseconds * 1000 + 1
    timer_settime(timer, 0, &moment, nil)
  }
}
