// SPDX-License-Identifier: MIT

import Testing

@testable import SensorSources

@Suite struct ScanLayoutTests {
  @Test(
    arguments: [
      ("le:s12/16>>4", [0x80, 0xC1], -1000), ("le:s12/16>>4", [0x8F, 0x3E], 1000),
      ("le:s16/32>>0", [0x18, 0xFC, 0, 0], -1000), ("le:s16/32>>0", [0xE8, 0x03, 0, 0], 1000),
      ("le:s16/32>>0", [0x18, 0xFC, 0xFF, 0xFF], -1000), ("le:u16/32>>0", [0x18, 0xFC, 0, 0], 64536),
      ("be:s12/16>>4", [0xC1, 0x80], -1000), ("be:s16/16>>0", [0xFC, 0x18], -1000),
      ("be:s24/32>>8", [0xFF, 0xFC, 0x18, 0x55], -1000), ("le:s8/8>>0", [0xFF], -1),
      ("le:u8/8>>0", [0xFF], 255),
      ("le:s14/16>>2\n", [0x00, 0x80], -8192),
      ("le:S64/64>>0", [0xFE, 255, 255, 255, 255, 255, 255, 255], -2),
      ("le:u64/64>>0", [255, 255, 255, 255, 255, 255, 255, 255], .max),
      ("le:s1/8>>7", [0x80], -1),
    ] as [(String, [UInt8], Int64)])
  func `values of each type`(text: String, bytes: [UInt8], value: Int64) throws {
    let type = try #require(ScanType(text: text))
    #expect(type.size == bytes.count)
    #expect(type.value(bytes) == value)
  }

  @Test(arguments: [
    "", "le", "le:s12/16", "xe:s12/16>>4", "le:x12/16>>4", "le:s12/12>>0", "le:s0/16>>0", "le:s-4/16>>0",
    "le:s17/16>>0", "le:s12/16>>5", "le:s12/16>>-1", "le:s16/16X4>>0", "le:s16/128>>0", "le:s16/16>>0>>1",
    "le:s999999999999999999999/64>>0", "\0\u{FF}",
  ])
  func `a text that is not a type is refused`(text: String) {
    #expect(ScanType(text: text) == nil)
  }

  private func makeLayout(_ elements: (String, Int, String)...) -> ScanLayout? {
    ScanLayout(
      elements.compactMap { name, index, type in
        ScanType(text: type).map { (name: name, index: index, type: $0) }
      })
  }

  @Test func `a sample of a sensor hub is read`() throws {
    let type = "le:s16/32>>0"
    let layout = try #require(
      makeLayout(
        ("in_timestamp", 3, "le:s64/64>>0"), ("in_accel_z", 2, type), ("in_accel_x", 0, type),
        ("in_accel_y", 1, type)))
    #expect(layout.sampleSize == 24)
    let bytes: [UInt8] =
      [0x18, 0xFC, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0, 0, 9, 9, 9, 9] + [0, 0xCA, 0x9A, 0x3B, 0, 0, 0, 0]
    #expect(layout.sample(bytes[...]) == .init(x: -1000, y: 1, z: -1, timestamp: 1_000_000_000))
    #expect(layout.sample((bytes + bytes)[24...])?.x == -1000)
    for count in 0..<24 { #expect(layout.sample(bytes.prefix(count)) == nil) }
  }

  @Test func `rates in the same sample are read`() throws {
    let type = "le:s16/16>>0"
    let axes = ["in_accel_x", "in_accel_y", "in_accel_z", "in_anglvel_x", "in_anglvel_y", "in_anglvel_z"]
    let elements = axes.enumerated().map { ($1, $0, type) }
    let layout = try #require(
      makeLayout(elements[0], elements[1], elements[2], elements[3], elements[4], elements[5]))
    let first: [UInt8] = [1, 0, 2, 0, 3, 0, 4, 0, 0xFB, 0xFF, 6, 0]
    let second: [UInt8] = [9, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]
    #expect(layout.samples((first + second)[...]).map(\.rates) == [[4, -5, 6], [4, 5, 6]])
    #expect(layout.samples((first + second)[...]).map(\.x) == [1, 9])
    let part = try #require(makeLayout(elements[0], elements[1], elements[2], elements[3], elements[5]))
    #expect(part.sample(first[..<10])?.rates == [])
  }

  @Test func `other values are skipped`() throws {
    let layout = try #require(
      makeLayout(
        ("in_temp", 0, "le:s8/8>>0"), ("in_accel_x", 1, "be:s12/16>>4"), ("in_accel_y", 2, "be:s12/16>>4"),
        ("in_accel_z", 5, "be:s12/16>>4")))
    #expect(layout.sampleSize == 8)
    #expect(
      layout.sample([7, 7, 0x00, 0x10, 0x00, 0x20, 0xFF, 0xF0]) == .init(x: 1, y: 2, z: -1, timestamp: nil))
  }

  /// The kernel aligns each sample to the largest of its values.
  @Test func `a sample is as long as its largest value demands`() throws {
    let type = "le:s16/16>>0"
    let layout = try #require(
      makeLayout(
        ("in_timestamp", 0, "le:s64/64>>0"), ("in_accel_x", 1, type), ("in_accel_y", 2, type),
        ("in_accel_z", 3, type)))
    #expect(layout.sampleSize == 16)
  }

  @Test func `a layout needs all axes`() {
    let type = "le:s16/16>>0"
    #expect(makeLayout(("in_accel_x", 0, type), ("in_accel_y", 1, type), ("in_timestamp", 2, type)) == nil)
    #expect(makeLayout() == nil)
  }
}
