// SPDX-License-Identifier: MIT

import Glibc
import System

/// The files of a sensor in /sys that libiio does not hand out.
nonisolated struct DeviceFiles {
  /// "/sys/bus/iio/devices/iio:device0".
  let directory: String

  init(id: String) {
    directory = "/sys/bus/iio/devices/\(id)"
  }

  /// - Returns: without the end of the line; `nil` if it cannot be read.
  func read(_ name: String) -> String? {
    guard let file = fopen("\(directory)/\(name)", "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0 else { return nil }
    let text = String(decoding: bytes.prefix(count).prefix { $0 > 0 }, as: UTF8.self)
    return text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
  }

  func write(_ text: String, to name: String) throws(ErrorNumber) {
    let descriptor = open("\(directory)/\(name)", O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw ErrorNumber(code: errno) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw ErrorNumber(code: errno)
    }
  }

  func names(in folder: String) -> [String] {
    SystemFile.names(in: "\(directory)/\(folder)").sorted()
  }
}
