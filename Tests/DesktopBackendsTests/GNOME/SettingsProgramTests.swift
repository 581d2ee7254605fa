// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

@Suite("gsettings", .serialized)
@MainActor
struct SettingsProgramTests {
  @Test func `a program that cannot be watched is killed`() throws {
    let loop = try EventLoop()
    var started: pid_t = 0
    let program = SettingsProgram("sleep", loop: loop) { process, _ in
      started = process
      throw SystemError(call: "sd_event_add_child", code: ENOMEM)
    }
    var failure = ""
    program.run(["60"]) { if case .failure(let reason) = $0 { failure = reason.description } }
    try #require(started > 0)
    #expect(kill(started, 0) != 0 && errno == ESRCH, "it has ended, and was waited for")
    try loop.wait(for: "the failure") { !failure.isEmpty }
    #expect(failure.contains("sd_event_add_child"))
  }

  @Test func `a released object kills its program`() throws {
    let loop = try EventLoop()
    var started: pid_t = 0
    var program: SettingsProgram? = SettingsProgram("sleep", loop: loop) { process, handler in
      started = process
      return try loop.onEnd(of: process, handler)
    }
    program?.run(["60"]) { _ in Issue.record("it has not ended normally") }
    try #require(started > 0)
    program = nil
    #expect(kill(started, 0) != 0 && errno == ESRCH, "it has ended, and was waited for")
  }

  @Test func `a long value is read to its end`() throws {
    let loop = try EventLoop()
    let program = SettingsProgram("sh", loop: loop)
    #expect(program.readAndWait(["-c", "printf '%60000s' end"]) == "end")
  }
}
