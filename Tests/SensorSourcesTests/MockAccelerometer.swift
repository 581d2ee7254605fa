// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import System
import Testing

@testable import SensorSources

/// A mock device of a umockdev testbed, whose preloaded library makes libiio see it in /sys.
/// Changes go to its real path, because the library does not redirect every call.
struct MockAccelerometer {
  static let isAvailable = getenv("AUTOROTATE_BENCH_ACCELEROMETER") != nil && getenv("UMOCKDEV_DIR") != nil
  static let root = getenv("UMOCKDEV_DIR").map { String(cString: $0) } ?? ""

  let directory: String

  init(_ id: String = "iio:device0") {
    directory = "\(Self.root)/sys/bus/iio/devices/\(id)"
  }

  func path(of attribute: String) -> String { "\(directory)/\(attribute)" }

  /// Without the end of its line.
  func text(_ attribute: String) -> String? { SystemFile.line(of: path(of: attribute)) }

  /// Writes the attribute's file, which may be new.
  func write(_ text: String, to attribute: String) {
    let descriptor = open(path(of: attribute), O_WRONLY | O_TRUNC | O_CREAT, 0o644)
    _ = Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  func set(_ x: Int, _ y: Int, _ z: Int) {
    for (axis, raw) in zip("xyz", [x, y, z]) { write("\(raw)\n", to: "in_accel_\(axis)_raw") }
  }

  /// The attribute cannot be read while `body` runs.
  func replacing(_ attribute: String, while body: () throws -> Void) throws {
    let path = path(of: attribute)
    try #require(rename(path, path + ".aside") == 0)
    try #require(symlink("/proc/self/mem", path) == 0)
    defer {
      unlink(path)
      rename(path + ".aside", path)
    }
    try body()
  }

  /// The reading thread waits in read(2) while `body` runs.
  func hanging(_ attribute: String, while body: () throws -> Void) throws {
    try Self.hanging(path(of: attribute), while: body)
  }

  static func hanging(_ path: String, while body: () throws -> Void) throws {
    let (kept, silent) = (path + ".aside", path + ".silent")
    try #require(mkfifo(silent, 0o600) == 0)
    // Both ends are open for as long as readers find it: one that waited in open(2) would keep umockdev's lock, which
    // every test needs.
    let end = open(silent, O_RDWR | O_CLOEXEC)
    try #require(end >= 0)
    defer { close(end) }
    try #require(link(path, kept) == 0 && rename(silent, path) == 0)
    defer { rename(kept, path) }
    try body()
  }

  /// Gives the attribute another text while `body` runs.
  /// - Parameter text: `nil` for no attribute.
  func with(_ attribute: String, _ text: String?, while body: () throws -> Void) throws {
    let path = path(of: attribute)
    let isThere = rename(path, path + ".aside") == 0
    if let text { write(text + "\n", to: attribute) }
    defer {
      unlink(path)
      if isThere { rename(path + ".aside", path) }
    }
    try body()
  }

  /// A thread that opens the attribute while `body` runs waits in open(2). A pipe would do that, too, but libiio finds
  /// regular files only.
  func leasing(_ attribute: String, while body: () throws -> Void) throws {
    signal(SIGIO, SIG_IGN)
    let lease = open(path(of: attribute), O_RDWR | O_CLOEXEC)
    defer { close(lease) }
    let setLease: CInt = 1024
    try #require(fcntl(lease, setLease, F_WRLCK) == 0)
    try body()
  }

  /// Changes the devices of the bench: the words of `bench accel`.
  static func change(_ words: String...) throws {
    let bench = try #require(getenv("BENCH_DIR").map { String(cString: $0) })
    let socket = try Stranger.connect(to: "\(bench)/sensor.ctl")
    defer { close(socket) }
    let line = words.joined(separator: "\t") + "\n"
    try #require(Glibc.write(socket, line, line.utf8.count) == line.utf8.count)
    var answer = [UInt8](repeating: 0, count: 256)
    let count = read(socket, &answer, answer.count)
    try #require(String(decoding: answer.prefix(max(0, count)), as: UTF8.self) == "ok\n")
  }
}

/// The kernel's buffer of the mock: its attributes, and a pipe in place of its node. It goes with this object.
final class MockBuffer {
  private let mock: MockAccelerometer
  private let node: String
  private let names: [String]
  private var pipe: Int32 = -1

  /// - Parameters:
  ///   - channels: in the order of a sample, each of 16 bits, before the timestamp.
  ///   - attributes: of the device, besides those of every buffer; empty texts for missing ones.
  init(
    of mock: MockAccelerometer, _ channels: [String] = ["accel_x", "accel_y", "accel_z"],
    attributes: [String: String] = [:]
  ) throws {
    self.mock = mock
    node = "\(MockAccelerometer.root)/dev/\(mock.directory.split(separator: "/").last ?? "")"
    var all = [
      "buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1", "trigger/current_trigger": "",
    ]
    for (index, name) in (channels + ["timestamp"]).enumerated() {
      let element = "scan_elements/in_\(name)"
      all["\(element)_en"] = "0"
      all["\(element)_index"] = "\(index)"
      all["\(element)_type"] = name == "timestamp" ? "le:s64/64>>0" : "le:s16/16>>0"
    }
    all.merge(attributes) { $1 }
    names = Array(all.keys)
    for folder in ["buffer", "scan_elements", "trigger"] { mkdir(mock.path(of: folder), 0o755) }
    for (name, text) in all { mock.write(text + "\n", to: name) }
    try #require(rename(node, node + ".aside") == 0 && mkfifo(node, 0o600) == 0)
    pipe = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(pipe >= 0)
  }

  deinit {
    endDelivery()
    unlink(node)
    rename(node + ".aside", node)
    for name in names { unlink(mock.path(of: name)) }
    for folder in ["buffer", "scan_elements", "trigger"] { rmdir(mock.path(of: folder)) }
  }

  /// The attributes that a stream may set.
  var attributes: [String: String] {
    var all: [String: String] = [:]
    for name in names where !name.hasSuffix("_type") && !name.hasSuffix("_index") {
      all[name] = mock.text(name)
    }
    return all
  }

  /// Delivers a sample.
  /// - Parameter timestamp: nanoseconds.
  func deliver(_ raw: [Int16], at timestamp: Int64 = 0) {
    var bytes = raw.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    deliver(bytes: bytes + withUnsafeBytes(of: timestamp.littleEndian) { Array($0) })
  }

  func deliver(bytes: [UInt8]) {
    _ = Glibc.write(pipe, bytes, bytes.count)
  }

  /// The device goes: its node is at its end.
  func endDelivery() {
    if pipe >= 0 { close(pipe) }
    pipe = -1
  }
}
