// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

struct SystemFileTests {
  /// Whole entries were copied, of which the last ones in the C library's buffer are shorter than their type: with the
  /// address sanitizer that ends the process.
  @Test func namesAreReadToTheirEndsAndNoFurther() throws {
    let directory = try TemporaryDirectory()
    let names = (1...1500).map { "file\($0)" } + [String(repeating: "x", count: 255)]
    for name in names { close(open(directory[name], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
    #expect(Set(SystemFile.names(in: directory.path)) == Set(names))
    #expect(SystemFile.names(in: directory["nowhere"]).isEmpty)
  }
}
