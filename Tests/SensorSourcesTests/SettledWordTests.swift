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

  @Test func anotherWordIsThroughWhenItHasStood() {
    let through = Self.play([(0, .normal), (5000, .leftUp)])
    #expect(through.map(\.0) == [0, 5750])
    #expect(through.map(\.1) == [.normal, .leftUp])
  }

  @Test func aWordOfOneSampleIsNot() {
    #expect(Self.play([(0, .normal), (700, .leftUp), (1400, .normal)]).map(\.1) == [.normal])
  }

  @Test func flappingForAnHourNeverIs() {
    let flaps = (0..<5000).map {
      (Int64($0) * 700, $0.isMultiple(of: 2) ? .normal : DeviceOrientation.rightUp)
    }
    let through = Self.play(flaps)
    #expect(through.dropLast().map(\.1) == [.normal], "only the last, after which no other came, stands")
  }

  @Test func onlyTheLastOfAQuickSeriesIs() {
    let words: [(Int64, DeviceOrientation)] = [
      (0, .normal), (100, .leftUp), (200, .bottomUp), (300, .rightUp),
    ]
    #expect(Self.play(words).map(\.0) == [0, 1050])
    #expect(Self.play(words).map(\.1) == [.normal, .rightUp])
  }

  @Test func sayingItAgainDoesNotPostponeIt() {
    #expect(Self.play([(0, .normal), (1000, .leftUp), (1700, .leftUp)]).map(\.0) == [0, 1750])
  }

  @Test func aLoopThatWakesUpLateLosesNoWord() {
    var settled = SettledWord()
    _ = settled.hear(.normal, at: Self.at(0))
    _ = settled.hear(.leftUp, at: Self.at(100))
    #expect(settled.hear(.rightUp, at: Self.at(5000)) == .leftUp)
    #expect(settled.deadline == Self.at(5750))
  }
}
