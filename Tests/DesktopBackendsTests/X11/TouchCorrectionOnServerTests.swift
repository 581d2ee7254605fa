// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

extension OnServer {
  /// Other programs that set the matrix of a touchscreen.
  @Suite("correction of touch")
  @MainActor
  struct TouchCorrection {
    private static let wrong = ProjectiveTransform(rows: (0, 1, 0), (-1, 0, 1))

    init() throws {
      try Bench.reset()
    }

    private func isMapped() throws -> Bool {
      let place = try #require(try Bench.state().place(of: "eDP-1"))
      return try Bench.matrix(of: Bench.touchscreen).isClose(to: TouchMatrix.mapping(to: place))
    }

    private func rotated() throws -> RunningBackend {
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      try running.wait("the report of the rotation") { running.outputs.first?.transform == .rotated90 }
      return running
    }

    /// Changes the matrix until autorotate ignores the device.
    private func exhaustCorrections(_ running: RunningBackend) throws {
      for _ in 1...3 {
        Bench.setMatrix(of: Bench.touchscreen, Self.wrong)
        try running.wait("the correction") { try isMapped() }
      }
      Bench.setMatrix(of: Bench.touchscreen, Self.wrong)
      try running.wait("the end of corrections") { running.notes.sentences.count == 2 }
    }

    @Test func `a matrix that another program sets is corrected at once`() throws {
      let running = try rotated()
      Bench.setMatrix(of: Bench.touchscreen, Self.wrong)
      try running.wait("the correction") { try isMapped() }
      #expect(running.notes.sentences.count == 1)
      #expect(running.notes.sentences.first?.contains("it is overwritten") == true)
    }

    @Test func `a program that keeps setting it is reported once`() throws {
      let running = try rotated()
      try exhaustCorrections(running)
      #expect(running.notes.sentences.last?.contains("keeps setting") == true)
      Bench.setMatrix(of: Bench.touchscreen, .identity)
      try running.rotate("HDMI-1", .none).get()
      Bench.setMatrix(of: Bench.touchscreen, Self.wrong)
      // The pen has its own limit: when it is corrected, the touchscreen has been checked.
      Bench.setMatrix(of: Bench.pen, Self.wrong)
      try running.wait("the correction of the pen") {
        try !Bench.matrix(of: Bench.pen).isClose(to: Self.wrong)
      }
      #expect(try Bench.matrix(of: Bench.touchscreen).isClose(to: Self.wrong))
      #expect(running.notes.sentences.filter { $0.contains("keeps setting") }.count == 1)
    }

    @Test func `a repair corrects an ignored device`() throws {
      let running = try rotated()
      try exhaustCorrections(running)
      running.backend.repair()
      try running.wait("the repair") { try isMapped() }
    }

    @Test func `a rotation corrects an ignored device`() throws {
      let running = try rotated()
      try exhaustCorrections(running)
      try running.rotate("eDP-1", .rotated180).get()
      #expect(try isMapped())
    }

    @Test func `a device that is ignored later keeps another program's matrix`() throws {
      let running = try rotated()
      try exhaustCorrections(running)
      running.backend.use(DisplaySettings(ignoredDevices: [Bench.touchscreen]))
      try running.wait("the release") { try Bench.properties(of: Bench.touchscreen)?.calibration == nil }
      #expect(try Bench.matrix(of: Bench.touchscreen).isClose(to: Self.wrong))
    }

    @Test func `another program that sets the right matrix is no problem`() throws {
      let running = try rotated()
      for (word, transform) in [
        ("inverted", .rotated180), ("right", .rotated270), ("normal", .none), ("left", .rotated90),
      ] as [(String, DisplayTransform)] {
        // autorotate sees both changes at once.
        Bench.run("xrandr --output eDP-1 --rotate \(word)")
        Bench.run("xinput map-to-output '\(Bench.touchscreen)' eDP-1")
        try running.wait("the report") { running.outputs.first?.transform == transform }
      }
      #expect(try isMapped() && running.notes.sentences.isEmpty)
    }

    @Test func `our own matrices cause no correction`() throws {
      let running = try rotated()
      try running.wait("rest") { try !running.loop.runOnce(timeoutNanoseconds: 200_000_000) }
      #expect(running.notes.sentences.isEmpty)
    }
  }
}
