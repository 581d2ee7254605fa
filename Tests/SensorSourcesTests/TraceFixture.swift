// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

@testable import SensorSources

/// A temporary file, removed with this object.
final class TemporaryFile {
  let path: String
  let descriptor: Int32

  init(_ text: String = "") {
    var template = Array("/tmp/autorotate-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { String(decoding: $0.dropLast().map(UInt8.init), as: UTF8.self) }
    replace(with: Array(text.utf8))
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// Leaves the descriptor at the beginning.
  func replace(with bytes: [UInt8]) {
    ftruncate(descriptor, 0)
    pwrite(descriptor, bytes, bytes.count, 0)
    lseek(descriptor, 0, SEEK_SET)
  }
}

struct TraceContents: Equatable {
  var times: [Double] = []
  var samples: [MotionSample] = []
  var problems = TraceDiagnostics()

  /// The contents of the file, which is named "t" in diagnostics.
  init(of file: TemporaryFile, _ format: TraceFormat = .seconds) throws {
    var reader = TraceReader(descriptor: file.descriptor, name: "t", format: format)
    while let (time, sample) = try reader.next() {
      times.append(Double(time.nanoseconds) / 1e9)
      samples.append(sample)
    }
    problems = reader.diagnostics
  }

  var accelerations: [Acceleration] { samples.map(\.acceleration) }
  var rates: [AngularRate?] { samples.map(\.rate) }

  init(of text: String, _ format: TraceFormat = .seconds) throws {
    try self.init(of: TemporaryFile(text), format)
  }
}
