// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import autorotate

struct RunningProcessTests {
  @Test func `processes are in the order of their numbers`() {
    let numbers = RunningProcess.all.map(\.id)
    #expect(numbers == numbers.sorted() && numbers.contains(getpid()))
  }

  /// Not one in a sandbox, which could choose its name and arguments to pose as the compositor.
  @Test(arguments: [["env"], ["unshare", "--user", "--map-root-user"], ["unshare", "-Ur", "--mount"]])
  func `only command lines outside of sandboxes are read`(_ program: [String]) throws {
    let mark = "7\(UInt32.random(in: 1_000_000...9_999_999))"
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    child.arguments = program + ["sh", "-c", "echo ready; read answer", mark]
    let (input, output) = (Pipe(), Pipe())
    child.standardInput = input
    child.standardOutput = output
    try child.run()
    defer { child.terminate() }
    // Some systems do not let users make namespaces.
    guard !output.fileHandleForReading.availableData.isEmpty else { return }
    let found = RunningProcess.ownCommandLines.contains { $0.last == mark }
    #expect(found == (program == ["env"]))
  }
}
