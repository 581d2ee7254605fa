// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing

@testable import DesktopBackends

/// Measures rotations by the backend, for Benchmarks/turns-on-kwin, which names the output.
@MainActor @Suite(.enabled(if: getenv("AUTOROTATE_TURNS") != nil, "run Benchmarks/turns-on-kwin"))
struct KWinTurnFigures {
  @Test func `the microseconds of each rotation are printed`() throws {
    let words = String(cString: getenv("AUTOROTATE_TURNS")).split(separator: " ")
    let loop = try EventLoop()
    let backend = try KDEBackend(loop: loop)
    var isReady = false
    try backend.start(report: { if case .outputsChanged = $0 { isReady = true } }, gone: { _ in })
    try run(loop, forNanoseconds: 300_000_000) { false }
    #expect(isReady)
    for number in 1...(try #require(Int(words[1]))) {
      let began = EventLoop.now
      var result: Result<Void, Message>?
      backend.apply(DisplayTransform.allCases[number % 4], to: String(words[0])) { result = $0 }
      try run(loop, forNanoseconds: 10_000_000_000) { result != nil }
      print("turn \((EventLoop.now - began) / 1000)")
      #expect(throws: Never.self) { try #require(result).get() }
      try run(loop, forNanoseconds: 300_000_000) { false }
    }
    backend.stop()
  }

  private func run(_ loop: EventLoop, forNanoseconds limit: Int64, until isDone: () -> Bool) throws {
    let end = EventLoop.now + limit
    while !isDone(), EventLoop.now < end { try loop.runOnce(timeoutNanoseconds: end - EventLoop.now) }
  }
}
