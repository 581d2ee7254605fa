// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language
import System

/// Reads the orientations that callers send. The error for an unknown one lists those that exist.
enum OrientationWords {
  /// The first argument of a call.
  static func wish(_ arguments: [Value]) throws(BusError) -> OrientationWish {
    let word: String = try arguments.read(0)
    guard let wish = OrientationWish(word: word) else { throw unknown(word, OrientationWish.allWords) }
    return wish
  }

  /// An empty word is the orientation that is shown.
  static func wishOrShown(_ arguments: [Value]) throws(BusError) -> OrientationWish? {
    try arguments.read(0, as: String.self).isEmpty ? nil : try wish(arguments)
  }

  static func mask(_ words: [String]) throws(BusError) -> [OrientationWord] {
    let valid = OrientationWord.allCases.map(\.rawValue)
    guard !words.isEmpty else {
      throw BusError(
        ControlInterface.ErrorName.invalidOrientation,
        localized("a request names at least one of: \(valid.joined(separator: ", "))"))
    }
    var mask: [OrientationWord] = []
    for word in words {
      guard let known = OrientationWord(rawValue: word) else { throw unknown(word, valid) }
      if !mask.contains(known) { mask.append(known) }
    }
    return mask
  }

  static func refusal(of word: String, _ valid: [String]) -> Phrase {
    let (said, words) = (word.printable(), valid.joined(separator: ", "))
    return MeantWord.among(valid, by: word).map {
      "\"\(said)\" is not an orientation. Did you mean \"\($0)\"? There are: \(words)"
    } ?? "\"\(said)\" is not an orientation; use one of: \(words)"
  }

  private static func unknown(_ word: String, _ valid: [String]) -> BusError {
    BusError(ControlInterface.ErrorName.invalidOrientation, localized(refusal(of: word, valid)))
  }
}
