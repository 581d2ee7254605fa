// SPDX-License-Identifier: MIT

import FakeCompositor
import Glibc
import Temporary
import Testing

@testable import DesktopBackends

/// A compositor of our own, on a socket in a directory of its own.
@MainActor
final class Fake {
  let path: String
  private let directory: TemporaryDirectory
  private let handle: OpaquePointer
  private var isStopped = false

  /// - Parameter words: see `FakeCompositor.h`.
  init(_ words: String..., location: SourceLocation = #_sourceLocation) throws {
    directory = try TemporaryDirectory()
    path = directory["wayland-fake"]
    handle = try #require(fake_start(path))
    for each in words { say(each, location: location) }
  }

  isolated deinit {
    stop()
  }

  func say(_ words: String, location: SourceLocation = #_sourceLocation) {
    #expect(fake_say(handle, words) == 1, "\(words)", sourceLocation: location)
  }

  /// Whether it can do that now.
  func can(_ words: String) -> Bool { fake_say(handle, words) == 1 }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    fake_stop(handle)
  }

  /// What it was asked for in configurations.
  var log: [String] {
    var text = [CChar](repeating: 0, count: 65536)
    fake_log(handle, &text, text.count)
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      .split(separator: "\n").map(String.init)
  }

  /// Where the outputs lie: "eDP-1 0 0".
  var positions: [String] {
    let before = log.count
    say("where")
    return log.dropFirst(before).map { String($0.dropFirst("at ".count)) }
  }

  var applies: Int { log.count { $0 == "apply" } }
}
