// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language
import System

/// Reads the orientations that callers send. The error for an unknown one lists the valid ones.
enum OrientationParser {
  /// The first argument of a call.
  static func target(_ arguments: [Value]) throws(BusError) -> RotationTarget {
    let word: String = try arguments.read(0)
    guard let target = RotationTarget(word: word) else { throw unknown(word, RotationTarget.allWords) }
    return target
  }

  /// An empty word means the current orientation.
  static func targetOrCurrent(_ arguments: [Value]) throws(BusError) -> RotationTarget? {
    try arguments.read(0, as: String.self).isEmpty ? nil : try target(arguments)
  }

  static func mask(_ words: [String]) throws(BusError) -> [OrientationName] {
    let valid = OrientationName.allCases.map(\.rawValue)
    guard !words.isEmpty else {
      throw BusError(
        ControlInterface.ErrorName.invalidOrientation,
        localized("a request names at least one of: \(valid.joined(separator: ", "))"))
    }
    var mask: [OrientationName] = []
    for word in words {
      guard let known = OrientationName(rawValue: word) else { throw unknown(word, valid) }
      if !mask.contains(known) { mask.append(known) }
    }
    return mask
  }

  static func refusal(of word: String, _ valid: [String]) -> Phrase {
    let (given, words) = (word.printable(), valid.joined(separator: ", "))
    return WordSuggestion.among(valid, by: word).map {
      "\"\(given)\" is not an orientation. Did you mean \"\($0)\"? The orientations are: \(words)"
    } ?? "\"\(given)\" is not an orientation. Use one of: \(words)"
  }

  private static func unknown(_ word: String, _ valid: [String]) -> BusError {
    BusError(ControlInterface.ErrorName.invalidOrientation, localized(refusal(of: word, valid)))
  }
}
