// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Foundation
import Testing

/// Files that are broken at random: never a crash, never a hang, and always words for what is wrong.
///
/// The seed is fixed, so that a failure comes again. `AUTOROTATE_MUTATIONS=100000 swift test --filter MutationTests`
/// tries more than the usual 10,000; `AUTOROTATE_SEED` tries others.
struct MutationTests {
  @Test func noMutationCrashesOrHangs() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["AUTOROTATE_MUTATIONS"].flatMap { Int($0) } ?? 10_000
    let seed = environment["AUTOROTATE_SEED"].flatMap { UInt64($0) } ?? 1
    var mutator = Mutator(seeds: try Self.seeds(), state: seed)
    let clock = ContinuousClock()
    var slowest = Duration.zero
    var broken = 0
    let total = clock.measure {
      for _ in 0..<count {
        let file = mutator.next()
        slowest = max(slowest, clock.measure { if Self.isBroken(file) { broken += 1 } })
      }
    }
    print("\(count) mutations in \(total), \(broken) of them broken, the slowest took \(slowest)")
    #expect(broken > count / 10)
    #expect(broken < count)
    #expect(slowest < .seconds(1))
  }

  private static func isBroken(_ file: ConfigurationFile) -> Bool {
    let read = Configuration.read([file], on: .landscape)
    _ = read.overview
    for diagnostic in read.diagnostics { #expect(diagnostic.description.utf8.count < 8000) }
    return read.hasErrors
  }

  private static func seeds() throws -> [[UInt8]] {
    let shipped = try ShippedFilesTests.shippedRules().compactMap { file -> [UInt8]? in
      if case .bytes(let bytes) = file.content { bytes } else { nil }
    }
    let broken = try BrokenFileTests.names.map { name in
      Array(try Data(contentsOf: BrokenFileTests.folder.appending(path: "\(name).toml")))
    }
    return shipped + broken.filter { $0.count < 2000 } + [Array(try ShippedFilesTests.settings().utf8)]
  }
}

/// Flips, cuts, doubles and splices files.
private struct Mutator {
  let seeds: [[UInt8]]
  var state: UInt64

  /// What breaks parsers more often than chance does.
  private static let tokens = [
    "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\"", "\"\"\"", "'", "'''", "#", "\n", "\r\n", "\0", "\t",
    "true", "nan", "inf", "-", "1e999", "0x", "1979-05-27T07:32:00Z", "\u{FEFF}", "\u{10FFFF}", "\\u0000",
    "é",
    "[desktop]", "match", "supported = ", "9223372036854775808", "a.b.c.d", "{a=1}", "[[[[[[[[",
  ].map { Array($0.utf8) }

  mutating func next() -> ConfigurationFile {
    var bytes = pick(seeds)
    for _ in 0...below(6) { mutate(&bytes) }
    let kind: ConfigurationFile.Kind = below(2) == 0 ? .rule : .settings
    return ConfigurationFile(path: "mutant.toml", kind: kind, layer: .user, content: .bytes(bytes))
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    switch below(7) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where place < bytes.count: bytes[place] = UInt8(below(256))
    case 2: bytes.removeSubrange(place...)
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(20)))
    case 4: bytes.insert(contentsOf: pick(Self.tokens), at: place)
    case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(200))], at: place)
    default:
      let other = pick(seeds)
      bytes.replaceSubrange(place..., with: other[below(other.count + 1)...])
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  private mutating func below(_ bound: Int) -> Int { Int(random() % UInt64(max(1, bound))) }

  /// SplitMix64.
  private mutating func random() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
