// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Testing

@testable import DesktopBackends

@Suite("RandR rotations and errors")
@MainActor
struct RandRRotationBitsTests {
  @Test(
    arguments: [(.none, 1), (.rotated90, 2), (.rotated180, 4), (.rotated270, 8)]
      as [(DisplayTransform, UInt16)])
  func `each rotation is one bit`(transform: DisplayTransform, bit: UInt16) {
    #expect(transform.randrRotation == bit)
    #expect(DisplayTransform(randrRotation: bit) == transform)
  }

  /// The error codes of X.h.
  @Test(
    arguments: [
      (1, "BadRequest"), (2, "BadValue"), (3, "BadWindow"), (4, "BadPixmap"), (5, "BadAtom"), (8, "BadMatch"),
      (9, "BadDrawable"), (10, "BadAccess"), (11, "BadAlloc"), (16, "BadLength"), (17, "BadImplementation"),
      (7, "Error 7"),
    ] as [(UInt8, String)])
  func `an error of the server is named`(code: UInt8, name: String) {
    let error = UnsafeMutablePointer<xcb_generic_error_t>.allocate(capacity: 1)
    error.initialize(to: xcb_generic_error_t())
    error.pointee.error_code = code
    #expect(Message.xServer(error).description.hasPrefix("\(name), "))
  }

  @Test func `a reflection is kept by a rotation`() {
    #expect(DisplayTransform(randrRotation: 16 | 2) == .rotated90)
    #expect(DisplayTransform.rotated180.replacingRotation(in: 32 | 16 | 2) == 32 | 16 | 4)
  }

  @Test func `no rotation bit and two rotation bits are invalid`() {
    #expect(DisplayTransform(randrRotation: 0) == nil)
    #expect(DisplayTransform(randrRotation: 3) == nil)
    #expect(DisplayTransform(randrRotation: 16) == nil)
  }

  @Test func `the rotations of a CRTC are read`() {
    #expect(Set<DisplayTransform>(randrRotations: 0x3f) == .all)
    #expect(Set<DisplayTransform>(randrRotations: 1) == [.none])
    #expect(Set<DisplayTransform>(randrRotations: 0x15) == [.none, .rotated180])
  }
}
