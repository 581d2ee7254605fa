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
    (.still, 17, 1, .init(words: 41, gears: 81, digest: 13707698051061418084)),
    (.taps, 25, 1, .init(words: 69, gears: 256, digest: 174900319849199013)),
    (.walking, 10, 1, .init(words: 39, gears: 128, digest: 3412037071071565641)),
    (.vehicle, 50, 1, .init(words: 161, gears: 0, digest: 2248220051889740243)),
    (.walking, 50, 0.25, .init(words: 44, gears: 107, digest: 3337807206040138984)),
    (.still, 25, 0.6, .init(words: 44, gears: 81, digest: 12636031043988395367)),
    (.taps, 50, 2, .init(words: 78, gears: 286, digest: 13480496049188825840)),
  ]

  @Test(arguments: records)
  func theJudgeIsTheOneThatWasMeasured(
    _ surroundings: Handling.Surroundings, _ rate: Double, _ caution: Double, _ expected: Record
  ) {
    let motion = Handling(surroundings, seconds: 240, rate: rate, seed: 42).motion
    #expect(Self.record(of: motion, caution) == expected)
  }

  private static let recordsWithGyroscope: [(Handling.Surroundings, rate: Double, Record)] = [
    (.still, 17, .init(words: 39, gears: 91, digest: 9663836578267001797)),
    (.taps, 25, .init(words: 54, gears: 162, digest: 16889232687610618610)),
    (.walking, 10, .init(words: 39, gears: 200, digest: 13398580519165100274)),
    (.vehicle, 50, .init(words: 67, gears: 0, digest: 4360308486991565830)),
  ]

  @Test(arguments: recordsWithGyroscope)
  func soItIsWithAGyroscope(_ surroundings: Handling.Surroundings, _ rate: Double, _ expected: Record) {
    let motion = Handling(surroundings, seconds: 240, rate: rate, seed: 42, gyroscope: Gyroscope()).motion
    #expect(Self.record(of: motion, 1) == expected)
  }

  private static func record(of motion: Motion, _ caution: Double) -> Record {
    var record = Record()
    var judge = OrientationClassifier(caution: caution)
    var (word, isFollowing) = (judge.orientation, true)
    for (number, measured) in motion.measured.enumerated() {
      let now = Instant(seconds: measured.time)
      _ = judge.add(measured.sample, at: now)
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
