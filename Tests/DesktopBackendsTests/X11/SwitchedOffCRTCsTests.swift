// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System
import Testing
import Waiting

@testable import DesktopBackends

/// The property of the root window with the outputs that are off.
@Suite("outputs recorded as off on X11", .enabled(if: Xvfb.isInstalled, "install xvfb to run them"))
@MainActor
struct SwitchedOffCRTCsTests {
  private let server: Xvfb
  private let connection: X11Connection
  private let lit = ScreenChangeTests.state()

  init() throws {
    server = try #require(Xvfb())
    connection = try X11Connection.connect(display: server.display, timeout: EventLoop.limit)
  }

  /// `nil` without the property.
  private var numbers: [UInt32]? {
    _ = connection.replies.beginPass()
    return X11Property(
      connection, connection.root, connection.atoms[.switchedOffCRTCs], type: XCB_ATOM_CARDINAL.rawValue,
      words: CRTCRecord.maximumNumbers
    ).numbers()
  }

  @Test func `the property exists while something is off`() throws {
    let record = try SwitchedOffCRTCs(connection)
    record.add(lit.crtcs)
    #expect(record.all == [lit.crtcs[0], lit.crtcs[1]])
    #expect(numbers == CRTCRecord.numbers(of: record.all))
    #expect(try SwitchedOffCRTCs(connection).all.map(\.id) == [1, 2])
    record.remove { $0.id == 1 }
    #expect(numbers == CRTCRecord.numbers(of: [lit.crtcs[1]]))
    record.remove { _ in true }
    #expect(numbers == nil)
  }

  @Test func `the first failure stays until all are lit`() throws {
    let record = try SwitchedOffCRTCs(connection)
    record.add(lit.crtcs)
    record.recordFailure(because: "one")
    record.recordFailure(because: "two")
    record.remove { $0.id == 1 }
    #expect(record.problem == "one")
    record.remove { _ in true }
    #expect(record.problem == nil)
  }

  @Test func `a CRTC that is already off keeps its place`() throws {
    let record = try SwitchedOffCRTCs(connection)
    record.add([lit.crtcs[0]])
    var off = lit.crtcs[0]
    off.mode = 0
    record.add([off])
    #expect(record.all == [lit.crtcs[0]])
    var moved = lit.crtcs[0]
    moved.rectangle.x = 50
    record.add([moved])
    #expect(record.all == [moved])
  }
}
