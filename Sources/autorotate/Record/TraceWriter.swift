// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import SensorSources

/// Writes a trace line by line, each at once: what was written stays, whatever happens to the process.
final class TraceWriter {
  private let descriptor: Int32
  /// `nil` for standard output.
  private let path: String?
  /// Whether there was no such file before.
  private let isNew: Bool
  /// Bytes of whole lines.
  private var written: off_t = 0
  private var origin: Instant?
  private var hasRates = false
  private(set) var samples = 0
  /// The reader of our pipe has gone, so it has all that it wanted.
  private(set) var isUnread = false

  /// - Parameter descriptor: stays open, and remains the caller's.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    path = nil
    isNew = false
  }

  /// What is in the file stays until `begin`.
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

  deinit {
    if path != nil { close(descriptor) }
  }

  private static func openFailure(_ path: String, _ code: Int32) -> Message {
    guard code != EEXIST else {
      return Message(.commandMistaken, "\(path) exists; give another name, or --force to write over it")
    }
    return Message(
      .commandFailed, "\(path) cannot be written: \(String(cString: strerror(code))); give a path that can be"
    )
  }

  /// Removes the empty file of a recording that did not begin.
  func discard() {
    if let path, isNew, written == 0 { unlink(path) }
  }

  func begin(_ header: TraceHeader) throws(Message) {
    if path != nil { _ = ftruncate(descriptor, 0) }
    for comment in header.comments { try write(comment: comment) }
    hasRates = header.gyroscope != nil
    try write(line: header.columns)
  }

  func write(comment: String) throws(Message) {
    try write(line: "# " + TraceHeader.plain(comment, longest: 500))
  }

  /// - Parameter time: on any clock; the trace begins with its first sample.
  func write(_ sample: MotionSample, at time: Instant) throws(Message) {
    let origin = self.origin ?? time
    self.origin = origin
    let a = sample.acceleration
    let fields = [a.x, a.y, a.z].map { $0.text(decimals: 4) } + rates(of: sample)
    let seconds = time.seconds(since: origin).text(decimals: 6)
    try write(line: "\(seconds),\(fields.joined(separator: ","))")
    samples += 1
  }

  /// Empty fields where the gyroscope has nothing new.
  private func rates(of sample: MotionSample) -> [String] {
    guard let rate = sample.rate else { return hasRates ? ["", "", ""] : [] }
    return [rate.x, rate.y, rate.z].map { $0.text(decimals: 4) }
  }

  private func write(line: String) throws(Message) {
    let bytes = Array((line + "\n").utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(count < 0 ? errno : ENOSPC) }
      done += count
    }
    written += off_t(bytes.count)
  }

  /// A full disk may have stored half a line, which nobody could read.
  private func failure(_ code: Int32) -> Message {
    if path != nil { _ = ftruncate(descriptor, written) }
    isUnread = code == EPIPE
    let kept: Phrase =
      switch samples {
      case 0: "no sample was recorded"
      case 1: "the 1 sample before stays"
      default: "the \(samples) samples before stay"
      }
    return Message(
      .commandFailed,
      "\(path ?? localized("standard output")) cannot be written on: \(String(cString: strerror(code))); \(kept). "
        + "Make room, or record to another disk")
  }
}

/// The comments at the head of a recorded trace: what is needed to interpret it, and nothing that identifies a single
/// machine.
struct TraceHeader {
  var machine = TraceHeader.thisMachine
  var sensor: String
  var mount: AccelerometerInspection?
  /// Samples a second that were asked for; `nil` for as many as the decision needs.
  var rate: Double?

  /// The name of the gyroscope that is recorded, too.
  var gyroscope: String?

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
    ] + rateComments
  }

  private var rateComments: [String] {
    guard let gyroscope else { return [] }
    return [
      "gx, gy, gz: rates of the gyroscope \(gyroscope) in rad/s about x, y, z, right-handed; empty: nothing new"
    ]
  }

  var columns: String { gyroscope == nil ? "seconds,x,y,z" : "seconds,x,y,z,gx,gy,gz" }

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
