// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing

struct SystemFileTests {
  /// Whole entries were copied, of which the last ones in the C library's buffer are shorter than their type: with the
  /// address sanitizer that ends the process.
  @Test func namesAreReadToTheirEndsAndNoFurther() throws {
    var template = Array("/tmp/autorotate-names-XXXXXX".utf8CString)
    let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
    let names = (1...1500).map { "file\($0)" } + [String(repeating: "x", count: 255)]
    for name in names { close(open("\(directory)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
    defer {
      for name in names { unlink("\(directory)/\(name)") }
      rmdir(directory)
    }
    #expect(Set(SystemFile.names(in: directory)) == Set(names))
    #expect(SystemFile.names(in: "\(directory)/nowhere").isEmpty)
  }
}
