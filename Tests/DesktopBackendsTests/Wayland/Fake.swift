// SPDX-License-Identifier: MIT

import FakeCompositor
import Glibc
import Temporary
import Testing

@testable import DesktopBackends

/// A Wayland compositor for tests, on a socket in a directory of its own.
@MainActor
final class Fake {
  let path: String
  private let directory: TemporaryDirectory
  private let handle: OpaquePointer
  private var isStopped = false

  /// - Parameter commands: see `FakeCompositor.h`.
  init(_ commands: String..., location: SourceLocation = #_sourceLocation) throws {
    directory = try TemporaryDirectory()
    path = directory["wayland-fake"]
    handle = try #require(fake_start(path))
    for each in commands { run(each, location: location) }
  }

  isolated deinit {
    stop()
  }

  func run(_ command: String, location: SourceLocation = #_sourceLocation) {
    #expect(fake_run(handle, command) == 1, "\(command)", sourceLocation: location)
  }

  /// Whether it can run a command now.
  func can(_ command: String) -> Bool { fake_run(handle, command) == 1 }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    fake_stop(handle)
  }

  /// The requests of all configurations.
  var log: [String] {
    var text = [CChar](repeating: 0, count: 65536)
    fake_log(handle, &text, text.count)
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      .split(separator: "\n").map(String.init)
  }

  /// The positions of the outputs: "eDP-1 0 0".
  var positions: [String] {
    let before = log.count
    run("where")
    return log.dropFirst(before).map { String($0.dropFirst("at ".count)) }
  }

  var applies: Int { log.count { $0 == "apply" } }
}
