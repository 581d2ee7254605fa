// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// The classifier says, word for word and sample for sample, what it said when the figures of docs/benchmarks.md were
/// taken. Whoever changes it on purpose takes those anew, and then these: a failure prints what to write here.
struct ClassifierRecordTests {
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
    (.still, 17, 1, .init(words: 41, gears: 81, digest: 126264423480205402)),
    (.taps, 25, 1, .init(words: 54, gears: 274, digest: 9743106097701123691)),
    (.walking, 10, 1, .init(words: 41, gears: 138, digest: 11783392434025164556)),
    (.vehicle, 50, 1, .init(words: 93, gears: 0, digest: 1155619768324282909)),
    (.walking, 50, 0.25, .init(words: 48, gears: 103, digest: 5163327318264082895)),
    (.still, 25, 0.6, .init(words: 44, gears: 81, digest: 15710004075230519230)),
    (.taps, 50, 2, .init(words: 56, gears: 296, digest: 4693865398435069047)),
  ]

  @Test(arguments: records)
  func theClassifierIsTheOneThatWasMeasured(
    _ surroundings: Handling.Surroundings, _ rate: Double, _ caution: Double, _ expected: Record
  ) {
    let motion = Handling(surroundings, seconds: 240, rate: rate, seed: 42).motion
    #expect(Self.record(of: motion, caution) == expected)
  }

  private static let recordsWithGyroscope: [(Handling.Surroundings, rate: Double, Record)] = [
    (.still, 17, .init(words: 39, gears: 91, digest: 914927061330431502)),
    (.taps, 25, .init(words: 47, gears: 246, digest: 7349632885734977424)),
    (.walking, 10, .init(words: 41, gears: 328, digest: 1571905162868587876)),
    (.vehicle, 50, .init(words: 63, gears: 0, digest: 15618390313205056155)),
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
