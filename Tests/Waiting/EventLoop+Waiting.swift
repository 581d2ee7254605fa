// SPDX-License-Identifier: MIT

import Glibc
package import System

extension EventLoop {
  /// How long a test waits for anything, in nanoseconds: a minute, and more while the machine is busy. Only failing
  /// tests wait for so long. `make mutants`, where many fail, sets a shorter limit, in seconds.
  nonisolated package static var limit: Int64 {
    let chosen = Environment.variable("TEST_LONGEST_WAIT").flatMap { Int64($0) }
    return (chosen ?? Int64(60 * max(1, loadOfProcessor))) * 1_000_000_000
  }
  /// The average over the last minute.
  nonisolated private static var loadOfProcessor: Double {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load / Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))) : 0
  }
  /// Nanoseconds between checks: files, other processes and servers change without an event on this loop.
  private static let maximumPass: Int64 = 20_000_000

  /// Handles events until `condition` holds.
  /// - Returns: `false` if it does not within `limit`.
  package func run(until condition: () throws -> Bool) throws -> Bool {
    let begun = Self.now
    while try !condition() {
      guard Self.now - begun < Self.limit else { return false }
      try runOnce(timeoutNanoseconds: Self.maximumPass)
    }
    return true
  }

  /// Handles events until `condition` holds.
  /// - Parameter what: names it in the failure.
  /// - Throws: `WaitTimeout` if it does not within `limit`.
  package func wait(
    for what: String, file: StaticString = #fileID, line: UInt = #line, until condition: () throws -> Bool
  ) throws {
    if try !run(until: condition) { throw WaitTimeout(what: what, place: "\(file):\(line)") }
  }

  /// Handles events until none is ready.
  /// - Returns: whether there were any.
  @discardableResult
  package func runPending(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
    let begun = Self.now
    var count = 0
    while try runOnce(timeoutNanoseconds: 0) {
      count += 1
      guard Self.now - begun < Self.limit else {
        throw WaitTimeout(what: "a loop that has nothing to handle", place: "\(file):\(line)")
      }
    }
    return count > 0
  }

  /// Handles events until none is ready, and no timer fires within the time: then only an outside event wakes the loop.
  /// - Parameter time: nanoseconds; by default unlimited.
  package func settle(within time: Int64 = .max, file: StaticString = #fileID, line: UInt = #line) throws {
    try wait(for: "a loop that sleeps", file: file, line: line) {
      try runPending(file: file, line: line)
      return nextTimer.map { $0 > time } ?? true
    }
  }
}

/// The condition that a test has waited for did not become true in time.
package struct WaitTimeout: Error, CustomStringConvertible {
  package let what: String
  package let place: String

  package var description: String {
    "\(place): waited \(EventLoop.limit / 1_000_000_000) s for \(what)"
  }
}
