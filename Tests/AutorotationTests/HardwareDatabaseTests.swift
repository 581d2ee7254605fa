// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Testing

/// Every mount matrix in systemd's hardware database.
struct HardwareDatabaseTests {
  static let path = ["/usr/lib/udev/hwdb.d/60-sensor.hwdb", "/lib/udev/hwdb.d/60-sensor.hwdb"]
    .first { FileManager.default.isReadableFile(atPath: $0) }

  private struct Entry {
    var line: Int
    var text: String

    /// Determinant by integers and Sarrus's rule, unlike the code under test. `nil` if there are not nine integers.
    var determinant: Int? {
      let m = text.split { ",; ".contains($0) }.compactMap { Int($0) }
      guard m.count == 9 else { return nil }
      return m[0] * m[4] * m[8] + m[1] * m[5] * m[6] + m[2] * m[3] * m[7]
        - m[2] * m[4] * m[6] - m[1] * m[3] * m[8] - m[0] * m[5] * m[7]
    }
  }

  private static func entries() throws -> [Entry] {
    let path = try #require(path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      let parts = $1.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == "ACCEL_MOUNT_MATRIX",
        parts[0].first == " "
      else { return nil }
      // The value as udev delivers it: without the comment behind it.
      return Entry(line: $0 + 1, text: String(parts[1].prefix { $0 != "#" }))
    }
  }

  @Test(.enabled(if: path != nil, "the hardware database of the package udev is not here"))
  func `each matrix is read and only last rows are replaced`() throws {
    let entries = try Self.entries()
    #expect(entries.count > 150)
    var replaced: [Int] = []
    for entry in entries {
      let determinant = try #require(entry.determinant, "line \(entry.line): \(entry.text)")
      let matrix = MountMatrix(text: entry.text)
      #expect((matrix == nil) == (determinant == 0), "line \(entry.line): \(entry.text)")
      if matrix == nil {
        replaced.append(entry.line)
        #expect(MountMatrix(replacingLastRowOf: entry.text) != nil, "line \(entry.line): \(entry.text)")
      }
      if let matrix { #expect(MountMatrix(text: matrix.text) == matrix, "line \(entry.line)") }
    }
    print("60-sensor.hwdb: \(entries.count) matrices; last row replaced: lines \(replaced)")
  }
}
