// SPDX-License-Identifier: MIT

/// Mutates files at random, reproducibly for the same state: flips bits, cuts, repeats and splices.
package struct Mutator {
  private let seeds: [[UInt8]]
  private let tokens: [[UInt8]]
  private var state: UInt64

  /// - Parameters:
  ///   - seeds: files to mutate, at least one.
  ///   - tokens: texts that break such files more often than random bytes.
  package init(seeds: [[UInt8]], tokens: [String], state: UInt64) {
    self.seeds = seeds
    self.tokens = tokens.map { Array($0.utf8) }
    self.state = state
  }

  package mutating func next() -> [UInt8] {
    var bytes = pick(seeds)
    for _ in 0...below(6) { mutate(&bytes) }
    return bytes
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    switch below(7) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where place < bytes.count: bytes[place] = UInt8(below(256))
    case 2: bytes.removeSubrange(place...)
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(20)))
    case 4: bytes.insert(contentsOf: pick(tokens), at: place)
    case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(200))], at: place)
    default:
      let other = pick(seeds)
      bytes.replaceSubrange(place..., with: other[below(other.count + 1)...])
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// A random number from 0 up to, but not including, the bound.
  package mutating func below(_ bound: Int) -> Int { Int(random() % UInt64(max(1, bound))) }

  /// SplitMix64.
  private mutating func random() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
