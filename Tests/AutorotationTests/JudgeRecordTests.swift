// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// The judge says, word for word and sample for sample, what it said when the figures of docs/benchmarks.md were
/// taken. Whoever changes it on purpose takes those anew, and then these: a failure prints what to write here.
struct JudgeRecordTests {
  struct Record: Equatable, CustomStringConvertible {
    /// How often what it says of the device changed, and whether it wants samples quickly.
    var words = 0
    var gears = 0
    /// FNV-1a over all of these changes, and after which sample each came.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func note(_ number: Int, _ word: String) {
      for byte in "\(number) \(word)\n".utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    var description: String { ".init(words: \(words), gears: \(gears), digest: \(digest))" }
  }

  private static let records: [(Handling.Surroundings, rate: Double, caution: Double, Record)] = [
    (.still, 17, 1, .init(words: 52, gears: 91, digest: 17845667414556385527)),
    (.taps, 25, 1, .init(words: 73, gears: 231, digest: 10116953368997236947)),
    (.walking, 10, 1, .init(words: 48, gears: 126, digest: 14748421725386684616)),
    (.vehicle, 50, 1, .init(words: 129, gears: 0, digest: 12375357360660730434)),
    (.walking, 50, 0.25, .init(words: 63, gears: 83, digest: 16800326837366244685)),
    (.still, 25, 0.6, .init(words: 53, gears: 91, digest: 16025173642522160885)),
    (.taps, 50, 2, .init(words: 88, gears: 263, digest: 10405190093982066543)),
  ]

  @Test(arguments: records)
  func theJudgeIsTheOneThatWasMeasured(
    _ surroundings: Handling.Surroundings, _ rate: Double, _ caution: Double, _ expected: Record
  ) {
    let motion = Handling(surroundings, seconds: 240, rate: rate, seed: 42).motion
    #expect(Self.record(of: motion, caution) == expected)
  }

  private static func record(of motion: Motion, _ caution: Double) -> Record {
    var record = Record()
    var judge = OrientationClassifier(caution: caution)
    var (word, isFollowing) = (judge.orientation, true)
    for (number, sample) in motion.samples.enumerated() {
      let now = Instant(seconds: sample.time)
      _ = judge.add(sample.a, at: now)
      if judge.orientation != word {
        word = judge.orientation
        record.words += 1
        record.note(number, word.rawValue)
      }
      if judge.wantsFollowing(at: now) != isFollowing {
        isFollowing.toggle()
        record.gears += 1
        record.note(number, "\(isFollowing)")
      }
    }
    return record
  }
}
