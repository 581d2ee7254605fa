// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

/// Four holds that were measured elsewhere: lines of x,y,z in the sensor's own frame, m/s².
struct HoldsFile {
  let means: [Acceleration]

  /// - Parameter path: or "-" for standard input.
  init(path: String) throws(Failure) {
    let name = path == "-" ? localized("standard input") : path
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    defer { if path != "-" { close(descriptor) } }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      throw Failure(.usage, "\(name): \(String(cString: strerror(errno))); give the path of a readable file")
    }
    try self.init(text: String(decoding: bytes.prefix(count), as: UTF8.self), name: name)
  }

  init(text: String, name: String) throws(Failure) {
    var means: [Acceleration] = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.prefix { $0 != "#" }.split { $0 == "," || $0.isWhitespace }
      guard !words.isEmpty else { continue }
      let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
      guard words.count == 3, numbers.count == 3 else {
        throw Failure(
          .usage, "\(name):\(number + 1): not three numbers; write x,y,z in m/s², as in 0.1,-9.8,0.3")
      }
      means.append(Acceleration(x: numbers[0], y: numbers[1], z: numbers[2]))
    }
    guard means.count == Calibration.Hold.allCases.count else {
      let holds = Calibration.Hold.allCases.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "\(name) has \(means.count) lines of x,y,z; four are needed: \(holds)")
    }
    self.means = means
  }
}
