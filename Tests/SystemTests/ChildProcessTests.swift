// SPDX-License-Identifier: MIT

import Foundation
import PrivateBus
import Testing

@Suite(.enabled(if: ChildProcess.isAvailable, "\(ChildProcess.absence)"))
struct ChildProcessTests {
  /// The main actor of a test runs on threads that end when they are idle.
  @Test func `a child outlives the thread that started it`() throws {
    let born = Born()
    let thread = Thread { born.start(["/usr/bin/sleep", "0.5"]) }
    thread.start()
    var status: Int32 = 0
    let process = try #require(born.process)
    #expect(waitpid(process, &status, 0) == process)
    #expect(status == 0, "it was not killed")
  }

  @Test func `a missing program is an error`() throws {
    let process = try ChildProcess.spawn(["/nowhere/at-all"])
    var status: Int32 = 0
    #expect(waitpid(process, &status, 0) == process)
    #expect(status != 0)
  }
}

/// A child started by a thread that ends at once.
private final class Born: @unchecked Sendable {
  private let isOver = DispatchSemaphore(value: 0)
  private var begun: pid_t?

  var process: pid_t? {
    isOver.wait()
    return begun
  }

  func start(_ arguments: [String]) {
    begun = try? ChildProcess.spawn(arguments)
    if let begun { awaitProgram(of: begun) }
    isOver.signal()
  }

  /// Until its program starts, it is not bound to a thread.
  private func awaitProgram(of process: pid_t) {
    while let name = name(of: process), name != "sleep" { usleep(1000) }
  }

  private func name(of process: pid_t) -> String? {
    try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
  }
}
