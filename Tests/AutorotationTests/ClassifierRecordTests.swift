// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// The classifier decides exactly, sample by sample, as when the figures of docs/benchmarks.md were measured. After an
/// intended change, measure those again, and then these: a failure prints the new record.
struct ClassifierRecordTests {
  struct Record: Equatable, CustomStringConvertible {
    /// How often the orientation changed, and how often the demand for samples.
    var words = 0
    var gears = 0
    /// FNV-1a over all of these changes, with the number of the sample.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func note(_ number: Int, _ word: String) {
      for byte in "\(number) \(word)\n".utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    var description: String { ".init(words: \(words), gears: \(gears), digest: \(digest))" }
  }

  private static let records: [(Handling.Surroundings, rate: Double, caution: Double, Record)] = [
    (.still, 17, 1, .init(words: 41, gears: 123, digest: 9335395339854024217)),
    (.taps, 25, 1, .init(words: 54, gears: 160, digest: 8146553707601591925)),
    (.walking, 10, 1, .init(words: 41, gears: 0, digest: 13042246105937229665)),
    (.vehicle, 50, 1, .init(words: 93, gears: 0, digest: 1155619768324282909)),
    (.walking, 50, 0.25, .init(words: 48, gears: 0, digest: 16598521783767513944)),
    (.still, 25, 0.6, .init(words: 44, gears: 125, digest: 15334510777784151804)),
    (.taps, 50, 2, .init(words: 56, gears: 184, digest: 15931177281134995656)),
  ]

  @Test(arguments: records)
  func `the classifier matches its record`(
    _ surroundings: Handling.Surroundings, _ rate: Double, _ caution: Double, _ expected: Record
  ) {
    let motion = Handling(surroundings, seconds: 240, rate: rate, seed: 42).motion
    #expect(Self.record(of: motion, caution) == expected)
  }

  private static let recordsWithGyroscope: [(Handling.Surroundings, rate: Double, Record)] = [
    (.still, 17, .init(words: 39, gears: 123, digest: 10990890605855615916)),
    (.taps, 25, .init(words: 47, gears: 98, digest: 827875710097547566)),
    (.walking, 10, .init(words: 41, gears: 70, digest: 14108086252359286297)),
    (.vehicle, 50, .init(words: 61, gears: 0, digest: 17509033211637218802)),
  ]

  @Test(arguments: recordsWithGyroscope)
  func `the classifier matches its gyroscope record`(
    _ surroundings: Handling.Surroundings, _ rate: Double, _ expected: Record
  ) {
    let motion = Handling(surroundings, seconds: 240, rate: rate, seed: 42, gyroscope: Gyroscope()).motion
    #expect(Self.record(of: motion, 1) == expected)
  }

  private static func record(of motion: Motion, _ caution: Double) -> Record {
    var record = Record()
    var classifier = OrientationClassifier(caution: caution)
    var (word, isFollowing) = (classifier.orientation, true)
    for (number, measured) in motion.measured.enumerated() {
      let now = Instant(seconds: measured.time)
      _ = classifier.add(measured.sample, at: now)
      if classifier.orientation != word {
        word = classifier.orientation
        record.words += 1
        record.note(number, word.rawValue)
      }
      if classifier.needsFollowing(at: now) != isFollowing {
        isFollowing.toggle()
        record.gears += 1
        record.note(number, "\(isFollowing)")
      }
    }
    return record
  }
}
