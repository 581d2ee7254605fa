// SPDX-License-Identifier: MIT

import CEvdev
import Glibc
import Testing

/// The kernel's structures, which are the same on every 64-bit processor, x86 or ARM.
@Suite struct KernelLayoutTests {
  @Test func `an input event is 24 bytes`() {
    #expect(MemoryLayout<input_event>.size == 24)
    #expect(MemoryLayout<input_event>.stride == 24)
    #expect(MemoryLayout<input_event>.alignment == 8)
    #expect(MemoryLayout<input_event>.offset(of: \.type) == 16)
    #expect(MemoryLayout<input_event>.offset(of: \.code) == 18)
    #expect(MemoryLayout<input_event>.offset(of: \.value) == 20)
  }

  @Test func `an inotify event is 16 bytes and a name`() {
    #expect(MemoryLayout<inotify_event>.size == 16)
    #expect(MemoryLayout<inotify_event>.alignment == 4)
    #expect(MemoryLayout<inotify_event>.offset(of: \.len) == 12)
  }

  @Test func `a socket address has room for 108 bytes`() {
    #expect(MemoryLayout<sockaddr_un>.size == 110)
    #expect(MemoryLayout<sockaddr_un>.offset(of: \.sun_path) == 2)
  }
}
