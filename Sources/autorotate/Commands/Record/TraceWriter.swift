// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import SensorSources
import System

/// Writes a trace line by line, unbuffered, so that a crash loses nothing.
final class TraceWriter {
  private let descriptor: Int32
  /// `nil` for standard output.
  private let path: String?
  /// Whether the file was created.
  private let isNew: Bool
  /// The bytes of complete lines.
  private var written: off_t = 0
  private var origin: Instant?
  private var hasRates = false
  private(set) var samples = 0
  /// Whether the reader of our pipe has gone: it has read enough.
  private(set) var isUnread = false

  /// - Parameter descriptor: stays open, and remains the caller's.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    path = nil
    isNew = false
  }

  /// The file keeps its content until `begin`.
  /// - Throws: `Message` if there is such a file already, or it cannot be written.
  init(path: String, force: Bool) throws(Message) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC
    var descriptor = open(path, flags | O_EXCL, 0o666)
    isNew = descriptor >= 0
    if descriptor < 0, errno == EEXIST, force { descriptor = open(path, flags, 0o666) }
    guard descriptor >= 0 else { throw Self.openFailure(path, errno) }
    self.descriptor = descriptor
    self.path = path
  }

  deinit { if path != nil { close(descriptor) } }

  private static func openFailure(_ path: String, _ code: Int32) -> Message {
    guard code != EEXIST else {
      return Message(.commandMistaken, "\(path) exists. Give another name, or --force to overwrite it")
    }
    return Message(
      .commandFailed, "\(path) cannot be written: \(String(cString: strerror(code))). Give a writable path"
    )
  }

  /// Removes the new file of a recording without samples.
  func discard() { if let path, isNew, samples == 0 { unlink(path) } }

  func begin(_ header: TraceHeader) throws(Message) {
    if path != nil { _ = ftruncate(descriptor, 0) }
    for comment in header.comments { try write(comment: comment) }
    hasRates = header.gyroscope != nil
    try write(line: header.columns)
  }

  func write(comment: String) throws(Message) {
    try write(line: "# " + TraceHeader.plain(comment, longest: 500))
  }

  /// - Parameter time: on any clock; times in the trace start with the first sample.
  func write(_ sample: MotionSample, at time: Instant) throws(Message) {
    let origin = self.origin ?? time
    self.origin = origin
    let a = sample.acceleration
    let fields = [a.x, a.y, a.z].map { $0.text(decimals: 4) } + rates(of: sample)
    let seconds = time.seconds(since: origin).text(decimals: 6)
    try write(line: "\(seconds),\(fields.joined(separator: ","))")
    samples += 1
  }

  /// Empty fields without a new reading of the gyroscope.
  private func rates(of sample: MotionSample) -> [String] {
    guard let rate = sample.rate else { return hasRates ? ["", "", ""] : [] }
    return [rate.x, rate.y, rate.z].map { $0.text(decimals: 4) }
  }

  private func write(line: String) throws(Message) {
    let bytes = Array((line + "\n").utf8)
    do throws(SystemError) {
      try SystemFile.write(bytes, to: descriptor, path ?? "-")
    } catch {
      throw failure(error.code)
    }
    written += off_t(bytes.count)
  }

  /// A full disk may have stored half a line, which is removed.
  private func failure(_ code: Int32) -> Message {
    if path != nil { _ = ftruncate(descriptor, written) }
    isUnread = code == EPIPE
    let kept: Phrase =
      switch samples {
      case 0: "no sample was recorded"
      case 1: "the 1 sample before is kept"
      default: "the \(samples) samples before are kept"
      }
    return Message(
      .commandFailed,
      "\(path ?? localized("standard output")) cannot be written any further: \(String(cString: strerror(code))); \(kept). "
        + "Free disk space, or record to another disk")
  }
}

/// The comments at the head of a recorded trace. They describe the model of the machine, and do not identify it.
struct TraceHeader {
  var machine = TraceHeader.thisMachine
  var sensor: String
  var mount: AccelerometerInspection?
  /// The requested samples per second; `nil` for as many as the decision needs.
  var rate: Double?

  /// The name of the gyroscope, if it is recorded.
  var gyroscope: String?

  var comments: [String] {
    let matrix = mount.map { "\($0.mount.matrix.text) (\($0.mount.source)), applied" }
    let rates: [String] =
      gyroscope.map {
        ["gx, gy, gz: rates of the gyroscope \($0) in rad/s about x, y, z, right-handed; empty: nothing new"]
      } ?? []
    return [
      "autorotate trace, version 1",
      "machine: \(machine)",
      "sensor: \(sensor)",
      "mount matrix: \(matrix ?? "unknown")",
      "rate: " + (rate.map { "\($0.text(decimals: 1)) Hz wanted" } ?? "autorotate's own"),
      "seconds from the first sample; acceleration in m/s², x right, y up, z out of the screen,",
      "as iio-sensor-proxy reads it: held normally y = -9.81, left edge up x = 9.81, face up z = 9.81",
    ] + rates
  }

  var columns: String { gyroscope == nil ? "seconds,x,y,z" : "seconds,x,y,z,gx,gy,gz" }

  /// Vendor and product name, which are the same for all machines of a model.
  static var thisMachine: String {
    let words = ["sys_vendor", "product_name"].map { name in
      plain(SystemFile.text(of: "/sys/class/dmi/id/\(name)", maximumBytes: 256) ?? "", longest: 80)
    }.filter { !$0.isEmpty }
    return words.isEmpty ? "unknown" : words.joined(separator: " ")
  }

  /// Without control characters and line breaks from firmware and drivers.
  static func plain(_ text: String, longest: Int) -> String {
    let words = text.printable(limit: .max).split(separator: " ")
    return String(words.joined(separator: " ").prefix(longest))
  }
}
