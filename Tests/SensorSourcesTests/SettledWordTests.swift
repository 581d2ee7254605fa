// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

struct SettledWordTests {
  private static func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  /// Plays words at milliseconds, waking up in time as a loop would.
  private static func play(_ words: [(Int64, DeviceOrientation)]) -> [(Int64, DeviceOrientation)] {
    var settled = SettledWord()
    var through: [(Int64, DeviceOrientation)] = []
    func note(_ word: DeviceOrientation?, _ moment: Instant) {
      if let word { through.append((moment.nanoseconds / 1_000_000, word)) }
    }
    for (moment, word) in words {
      while let due = settled.deadline, due < at(moment) { note(settled.elapse(at: due), due) }
      note(settled.hear(word, at: at(moment)), at(moment))
    }
    while let due = settled.deadline { note(settled.elapse(at: due), due) }
    return through
  }

  @Test func theFirstWordIsThroughAtOnce() {
    #expect(Self.play([(10, .leftUp)]).map(\.0) == [10])
  }

  @Test func anotherWordIsThroughAtOnceToo() {
    let through = Self.play([(0, .normal), (5000, .leftUp), (9000, .normal)])
    #expect(through.map(\.0) == [0, 5000, 9000])
    #expect(through.map(\.1) == [.normal, .leftUp, .normal])
  }

  @Test func afterAFlipAWordIsThroughWhenItHasStood() {
    let through = Self.play([(0, .normal), (700, .leftUp), (1400, .normal), (5000, .leftUp)])
    #expect(through.map(\.0) == [0, 700, 2150, 5750])
    #expect(through.map(\.1) == [.normal, .leftUp, .normal, .leftUp])
  }

  @Test func aFlipIsForgottenAfterHalfAMinute() {
    let through = Self.play([(0, .normal), (700, .leftUp), (1400, .normal), (31_500, .leftUp)])
    #expect(through.map(\.0).last == 31_500)
  }

  @Test func flappingForAnHourIsThroughOnce() {
    let flaps = (0..<5000).map {
      (Int64($0) * 700, $0.isMultiple(of: 2) ? .normal : DeviceOrientation.rightUp)
    }
    let through = Self.play(flaps)
    #expect(through.map(\.1) == [.normal, .rightUp])
  }

  /// Normal, a flip to left-up and back.
  private static let flip: [(Int64, DeviceOrientation)] = [(0, .normal), (700, .leftUp), (1400, .normal)]

  @Test func onlyTheLastOfAQuickSeriesIsWhileItFlaps() {
    let words: [(Int64, DeviceOrientation)] =
      Self.flip + [(5000, .leftUp), (5100, .bottomUp), (5200, .rightUp)]
    #expect(Self.play(words).dropFirst(3).map(\.0) == [5950])
    #expect(Self.play(words).dropFirst(3).map(\.1) == [.rightUp])
  }

  @Test func sayingItAgainDoesNotPostponeIt() {
    let words: [(Int64, DeviceOrientation)] = Self.flip + [(5000, .leftUp), (5700, .leftUp)]
    #expect(Self.play(words).map(\.0).last == 5750)
  }

  @Test func aLoopThatWakesUpLateLosesNoWord() {
    var settled = SettledWord()
    for (moment, word) in Self.flip { _ = settled.hear(word, at: Self.at(moment)) }
    _ = settled.hear(.normal, at: Self.at(3000))
    _ = settled.hear(.leftUp, at: Self.at(5000))
    #expect(settled.hear(.rightUp, at: Self.at(9000)) == .leftUp)
    #expect(settled.deadline == Self.at(9750))
  }
}
