// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

extension OnServer {
  /// A server that refuses the new configuration and the old one leaves outputs off.
  @Suite("restoring outputs")
  @MainActor
  struct Restoration {
    init() throws {
      try Bench.reset()
    }

    /// HDMI-1, which does not fit on the new screen, is switched off and stays off.
    private func losingOutputs(_ running: RunningBackend) throws {
      Bench.bench("refuse-modes on")
      let result = try running.rotate("eDP-1", .rotated90)
      #expect(throws: Message.self) { try result.get() }
      #expect("\(result)".contains("could not be restored"))
    }

    private func failure(of output: String, _ running: RunningBackend) -> Message? {
      running.outputs.first { $0.name == output }?.switchOnFailure
    }

    @Test func `outputs that a rotation left off are reported and restored`() throws {
      let running = try RunningBackend()
      let before = try Bench.state()
      try losingOutputs(running)
      #expect(try Bench.state()[output: "HDMI-1"]?.crtc == 0)
      #expect(failure(of: "HDMI-1", running)?.code == .outputNotRestored)
      Bench.bench("refuse-modes off")
      try running.wait("all outputs to be lit") { running.outputs.allSatisfy(\.isActive) }
      #expect(try Bench.state().crtcs == before.crtcs)
      #expect(try Bench.state().screen.size.width == before.screen.size.width)
      #expect(failure(of: "HDMI-1", running) == nil)
      try running.rotate("eDP-1", .rotated90).get()
    }

    @Test func `the failure is reported before the rotation ends`() throws {
      let running = try RunningBackend()
      Bench.bench("refuse-modes on")
      var reported: Message?
      var hasEnded = false
      running.backend.apply(.rotated90, to: "eDP-1") { _ in
        reported = failure(of: "HDMI-1", running)
        hasEnded = true
      }
      try running.wait("the end of a rotation") { hasEnded }
      #expect(reported?.code == .outputNotRestored)
    }

    @Test func `nothing is tried in an inactive session`() throws {
      let running = try RunningBackend()
      try losingOutputs(running)
      running.backend.sessionChanged(isActive: false)
      Bench.bench("refuse-modes off")
      // A change of the outputs, which would cause an attempt.
      Bench.run("xrandr --output eDP-1 --rotate inverted")
      try running.wait("the other rotation") { running.outputs.first?.transform == .rotated180 }
      try running.rotate("eDP-1", .none).get()
      #expect(try Bench.state()[output: "HDMI-1"]?.crtc == 0)
      running.backend.sessionChanged(isActive: true)
      try running.wait("all outputs to be lit") { running.outputs.allSatisfy(\.isActive) }
    }

    @Test func `the next daemon restores outputs`() throws {
      let before = try Bench.state()
      try losingOutputs(RunningBackend())
      #expect(try Bench.state()[output: "HDMI-1"]?.crtc == 0)
      Bench.bench("refuse-modes off")
      let next = try RunningBackend()
      try next.wait("all outputs to be lit") { next.outputs.allSatisfy(\.isActive) }
      #expect(try Bench.state().crtcs == before.crtcs)
    }

    /// Of a rotation by the daemon before, it knows no failure.
    @Test func `the next daemon reports outputs that stay off`() throws {
      try losingOutputs(RunningBackend())
      let next = try RunningBackend()
      try next.wait("the failure") { failure(of: "HDMI-1", next)?.code == .outputNotRestored }
      Bench.bench("refuse-modes off")
      try next.wait("all outputs to be lit") { next.outputs.allSatisfy(\.isActive) }
      #expect(failure(of: "HDMI-1", next) == nil)
    }

    @Test func `an output that another program restores is left alone`() throws {
      let running = try RunningBackend()
      try losingOutputs(running)
      Bench.bench("refuse-modes off")
      Bench.run("xrandr --output HDMI-1 --mode 1024x768 --pos 0x800 --output eDP-1 --mode 1280x800 --pos 0x0")
      try running.wait("all outputs to be lit") { running.outputs.allSatisfy(\.isActive) }
      try running.rotate("eDP-1", .none).get()
      #expect(try Bench.state().place(of: "HDMI-1")?.rectangle.y == 800)
      #expect(try recorded().isEmpty)
    }

    @Test func `an output that the user switches off stays off`() throws {
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      Bench.run("xrandr --output HDMI-1 --off")
      try running.wait("HDMI-1 to be off") { running.outputs.last?.isActive == false }
      try running.rotate("eDP-1", .none).get()
      #expect(try Bench.state()[output: "HDMI-1"]?.crtc == 0)
      #expect(failure(of: "HDMI-1", running) == nil)
    }

    @Test func `doctor reports outputs that are off`() throws {
      try losingOutputs(RunningBackend())
      let found = try X11Backend.inspect().outputs.first { $0.name == "HDMI-1" }
      #expect(found?.switchOnFailure?.code == .outputNotRestored)
    }

    @Test func `a successful rotation leaves nothing to restore`() throws {
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      #expect(try recorded().isEmpty)
    }

    private func recorded() throws -> [RandRState.CRTC] {
      try RandR(X11Connection.connect()).switchedOff.all
    }
  }
}
