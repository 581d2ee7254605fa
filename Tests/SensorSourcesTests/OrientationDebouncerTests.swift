// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

struct OrientationDebouncerTests {
  private static func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  /// Sends orientations at times in milliseconds, and wakes up when due as a loop would.
  private static func play(_ orientations: [(Int64, DeviceOrientation)]) -> [(Int64, DeviceOrientation)] {
    var debouncer = OrientationDebouncer()
    var accepted: [(Int64, DeviceOrientation)] = []
    func note(_ orientation: DeviceOrientation?, _ moment: Instant) {
      if let orientation { accepted.append((moment.nanoseconds / 1_000_000, orientation)) }
    }
    for (moment, orientation) in orientations {
      while let due = debouncer.deadline, due < at(moment) { note(debouncer.advance(to: due), due) }
      note(debouncer.receive(orientation, at: at(moment)), at(moment))
    }
    while let due = debouncer.deadline { note(debouncer.advance(to: due), due) }
    return accepted
  }

  @Test func `the first orientation is accepted at once`() {
    #expect(Self.play([(10, .leftUp)]).map(\.0) == [10])
  }

  @Test func `without flapping each orientation is accepted at once`() {
    let accepted = Self.play([(0, .normal), (5000, .leftUp), (9000, .normal)])
    #expect(accepted.map(\.0) == [0, 5000, 9000])
    #expect(accepted.map(\.1) == [.normal, .leftUp, .normal])
  }

  @Test func `after a flip an orientation is accepted when it lasts`() {
    let accepted = Self.play([(0, .normal), (700, .leftUp), (1400, .normal), (5000, .leftUp)])
    #expect(accepted.map(\.0) == [0, 700, 2150, 5750])
    #expect(accepted.map(\.1) == [.normal, .leftUp, .normal, .leftUp])
  }

  @Test func `debouncing ends half a minute after a flip`() {
    let accepted = Self.play([(0, .normal), (700, .leftUp), (1400, .normal), (31_500, .leftUp)])
    #expect(accepted.map(\.0).last == 31_500)
  }

  @Test func `in an hour of flapping one flip is accepted`() {
    let flaps = (0..<5000).map {
      (Int64($0) * 700, $0.isMultiple(of: 2) ? .normal : DeviceOrientation.rightUp)
    }
    let accepted = Self.play(flaps)
    #expect(accepted.map(\.1) == [.normal, .rightUp])
  }

  /// Normal, a flip to left-up and back.
  private static let flip: [(Int64, DeviceOrientation)] = [(0, .normal), (700, .leftUp), (1400, .normal)]

  @Test func `while it flaps only the last orientation is accepted`() {
    let orientations: [(Int64, DeviceOrientation)] =
      Self.flip + [(5000, .leftUp), (5100, .bottomUp), (5200, .rightUp)]
    #expect(Self.play(orientations).dropFirst(3).map(\.0) == [5950])
    #expect(Self.play(orientations).dropFirst(3).map(\.1) == [.rightUp])
  }

  @Test func `a repeated orientation is not delayed further`() {
    let orientations: [(Int64, DeviceOrientation)] = Self.flip + [(5000, .leftUp), (5700, .leftUp)]
    #expect(Self.play(orientations).map(\.0).last == 5750)
  }

  @Test(
    arguments: [
      ([(0, .normal), (700, .leftUp), (3600, .normal)], [0, 700, 4350]),
      ([(0, .normal), (700, .leftUp), (3700, .normal)], [0, 700, 3700]),
      ([(0, .normal), (700, .leftUp), (1000, .leftUp), (1400, .normal)], [0, 700, 2150]),
      (flip + [(3000, .normal)], [0, 700, 2150]), (flip + [(31_300, .leftUp)], [0, 700, 2150, 32_050]),
      (flip + [(31_300, .leftUp), (31_500, .bottomUp)], [0, 700, 2150, 31_500]),
    ] as [([(Int64, DeviceOrientation)], [Int64])])
  func `orientations are accepted at these times`(orientations: [(Int64, DeviceOrientation)], times: [Int64])
  {
    #expect(Self.play(orientations).map(\.0) == times)
  }

  @Test func `a late wake up loses no orientation`() {
    var debouncer = OrientationDebouncer()
    for (moment, orientation) in Self.flip { _ = debouncer.receive(orientation, at: Self.at(moment)) }
    _ = debouncer.receive(.normal, at: Self.at(3000))
    _ = debouncer.receive(.leftUp, at: Self.at(5000))
    #expect(debouncer.receive(.rightUp, at: Self.at(9000)) == .leftUp)
    #expect(debouncer.deadline == Self.at(9750))
  }
}
