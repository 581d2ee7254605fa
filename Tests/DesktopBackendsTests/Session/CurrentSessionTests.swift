// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// The session as the environment and the servers describe it.
@MainActor
struct CurrentSessionTests {
  private func session(_ variables: [String: String], timeout: Int64? = nil) -> SessionDescription {
    SessionDescription.current(timeout: timeout) { variables[$0] }
  }

  @Test func `a compositor is described by its globals and process`() throws {
    let fake = try Fake("output A 800 600")
    let variables = ["WAYLAND_DISPLAY": fake.path, "DISPLAY": ":59999", "SWAYSOCK": "", "HOME": "/home/ada"]
    let session = session(variables)
    #expect(session.environment == ["WAYLAND_DISPLAY": fake.path, "DISPLAY": ":59999"])
    guard case .globals(let globals) = session.wayland else {
      Issue.record("\(session.wayland)")
      return
    }
    #expect(globals.isSuperset(of: ["wl_output", "zwlr_output_manager_v1"]))
    #expect(session.compositor?.name.isEmpty == false)
    #expect(session.x11 == .none, "that would start Xwayland")
  }

  @Test func `a compositor that has ended leaves the X server`() {
    let session = session(["WAYLAND_DISPLAY": "/nowhere/wayland-0", "DISPLAY": ":59999"])
    #expect(session.wayland == .unreachable(.noCompositor(on: "/nowhere/wayland-0")))
    guard case .unreachable(let reason) = session.x11 else {
      Issue.record("\(session.x11)")
      return
    }
    #expect(reason.code == .displayUnreachable && session.compositor == nil)
  }

  @Test func `a compositor that hangs is waited for, and not the X server`() throws {
    let peer = try Peer()
    let session = session(["WAYLAND_DISPLAY": peer.path, "DISPLAY": ":59999"], timeout: 1_000_000)
    #expect(session.wayland == .unreachable(.silentCompositor(on: peer.path)))
    #expect(session.x11 == .none)
    peer.end()
  }

  @Test func `an empty environment has no display`() {
    let session = session([:])
    #expect(session.wayland == .none && session.x11 == .none && session.environment.isEmpty)
  }
}
