// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite(
  "looking at an X server without a window manager", .enabled(if: Xvfb.isThere, "install xvfb to run them"))
@MainActor
struct InspectionWithoutManagerTests {
  @Test func focusIsNotSaidToBeKnownWithoutAWindowManager() throws {
    let server = try #require(Xvfb())
    let seen = try X11Backend.inspect(display: server.display)
    #expect(seen.focus.next != nil)
    #expect(seen.focus.what.description.contains("_NET_ACTIVE_WINDOW"))
  }
}
