// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import SensorSources

/// The comments at the head of a recorded trace: what is needed to interpret it, and nothing that identifies a single
/// machine.
struct TraceHeader {
  var machine = TraceHeader.thisMachine
  var sensor: String
  var mount: AccelerometerInspection?
  /// Samples a second that were asked for; `nil` for as many as the decision needs.
  var rate: Double?

  var comments: [String] {
    let matrix = mount.map { "\(Self.text($0.mountMatrix)) (\($0.matrixSource)), applied" }
    return [
      "autorotate trace, version 1",
      "machine: \(machine)",
      "sensor: \(sensor)",
      "mount matrix: \(matrix ?? "unknown")",
      "rate: " + (rate.map { "\($0.text(decimals: 1)) Hz wanted" } ?? "autorotate's own"),
      "seconds from the first sample; acceleration in m/s², x right, y up, z out of the screen,",
      "as iio-sensor-proxy reads it: held normally y = -9.81, left edge up x = 9.81, face up z = 9.81",
    ]
  }

  static let columns = "seconds,x,y,z"

  private static func text(_ matrix: MountMatrix) -> String {
    let cells = matrix.elements.map { $0.rounded() == $0 ? $0.text(decimals: 0) : "\($0)" }
    return [cells[0..<3], cells[3..<6], cells[6..<9]].map { $0.joined(separator: ", ") }
      .joined(separator: "; ")
  }

  /// Make and model, which are the same for all machines of a series.
  static var thisMachine: String {
    let words = ["sys_vendor", "product_name"].compactMap { read("/sys/class/dmi/id/\($0)") }
    return words.isEmpty ? "unknown" : words.joined(separator: " ")
  }

  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    let text = plain(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self), longest: 80)
    return text.isEmpty ? nil : text
  }

  /// On one line, whatever firmware and drivers make of it.
  static func plain(_ text: String, longest: Int) -> String {
    let clean = text.unicodeScalars.map { $0.isDisruptive ? " " : Character($0) }
    let words = String(clean).split(separator: " ").joined(separator: " ")
    return String(words.prefix(longest))
  }
}
