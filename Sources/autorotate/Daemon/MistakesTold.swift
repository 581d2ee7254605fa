// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// The mistakes in the settings that were told: each is told once, until it is mended.
struct MistakesTold {
  private static let mostAtOnce = 100

  private var told: Set<String> = []

  mutating func tell(_ mistakes: [String]) {
    let new = mistakes.filter { !told.contains($0) }
    told = Set(mistakes)
    new.prefix(Self.mostAtOnce).forEach(Console.complain)
    guard new.count > Self.mostAtOnce else { return }
    let rest = new.count - Self.mostAtOnce
    Console.complain(localized("\(rest) more mistakes in the settings: see them with: autorotate check"))
  }
}
