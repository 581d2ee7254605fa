// SPDX-License-Identifier: MIT

import Testing

@testable import System

struct BusAddressTests {
  @Test(arguments: [
    ("/run/user/1000", "/run/user/1000"), ("/tmp/a b,c=ü;", "/tmp/a%20b%2cc%3d%c3%bc%3b"), ("\t", "%09"),
  ])
  func `a path is escaped for an address`(_ path: String, _ escaped: String) {
    #expect(Bus.Kind.escaped(path) == escaped)
  }
}
