// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite(
  "X11 inspection without a window manager", .enabled(if: Xvfb.isInstalled, "install xvfb to run them"))
@MainActor
struct InspectionWithoutManagerTests {
  @Test func `doctor reports a missing window manager`() throws {
    let server = try #require(Xvfb())
    let found = try X11Backend.inspect(display: server.display)
    #expect(found.focus.next != nil)
    #expect(found.focus.what.description.contains("_NET_ACTIVE_WINDOW"))
  }
}
