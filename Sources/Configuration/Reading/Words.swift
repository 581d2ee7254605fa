// SPDX-License-Identifier: MIT

import Autorotation

/// The valid words for a value, and words from other systems that are used by mistake.
struct Words<Value: Equatable & Sendable>: Sendable {
  /// The name of the kind, with its article.
  let kind: Phrase
  let words: [(word: String, value: Value)]
  let foreign: [String: String]

  subscript(word: String) -> Value? { words.first { $0.word == word }?.value }

  func word(for value: Value) -> String { words.first { $0.value == value }?.word ?? "" }

  /// The advice for an invalid word.
  func advice(for word: String) -> Phrase {
    let list = words.map(\.word)
    if let meant = foreign[word.lowercased()] ?? Spelling.nearest(to: word, among: list) {
      return "Did you mean \"\(meant)\"?"
    }
    return "Write one of \(list.map { "\"\($0)\"" }.joined(separator: ", "))."
  }
}

/// The words of the keys.
enum Word {
  static let orientations = Words<OrientationName>(
    kind: "an orientation", words: OrientationName.allCases.map { ($0.rawValue, $0) },
    foreign: aliases.merging(["any": "all", "horizontal": "landscape", "vertical": "portrait"]) { $1 })

  static let orientation = Words<InterfaceOrientation>(
    kind: "an orientation", words: InterfaceOrientation.allCases.map { ($0.word, $0) },
    foreign: aliases.merging(["natural": "normal", "landscape": "normal", "portrait": "left"]) { $1 })

  static let postureLock = Words<PostureLock>(
    kind: "a value for a lock",
    words: [("keep", .keep), ("free", .free), ("locked", .locked), ("remember", .remember)]
      + InterfaceOrientation.allCases.map { ($0.word, .to($0)) },
    foreign: aliases.merging([
      "unlocked": "free", "off": "free", "false": "free", "lock": "locked", "on": "locked",
      "true": "locked", "ignored": "keep", "last": "remember",
    ]) { $1 })

  /// For tent and stand, which may use the lock of tablet mode.
  static let foldedLock = Words<PostureLock?>(
    kind: postureLock.kind, words: [("tablet", nil)] + postureLock.words.map { ($0.word, $0.value) },
    foreign: postureLock.foreign.merging(["auto": "tablet", "same": "tablet"]) { $1 })

  /// Those that a rule may have.
  static let posture = Words<Posture>(
    kind: "a posture", words: [Posture.tablet, .tent, .stand, .laptop, .docked].map { ($0.rawValue, $0) },
    foreign: ["folded": "tablet", "unfolded": "laptop", "clamshell": "laptop", "dock": "docked"])

  static let rotateIn = Words<Settings.RotateIn>(
    kind: "\"always\" or \"tablet\"", words: Settings.RotateIn.allCases.map { ($0.rawValue, $0) },
    foreign: [
      "all": "always", "any": "always", "laptop": "always", "tablet-mode": "tablet", "never": "tablet",
    ])

  /// DRM's "panel orientation".
  static let panelMount = Words<PanelMount?>(
    kind: "a panel mount", words: [("auto", nil)] + PanelMount.allCases.map { ($0.word, $0) },
    foreign: [
      "normal": "top-up", "inverted": "upside-down", "bottom-up": "upside-down", "left": "left-side-up",
      "left-up": "left-side-up", "right": "right-side-up", "right-up": "right-side-up",
    ])

  static let sensorSource = Words<MachineSettings.SensorSource>(
    kind: "a sensor source", words: [("auto", .auto), ("iio", .iio), ("proxy", .proxy)],
    foreign: [
      "iio-sensor-proxy": "proxy", "libiio": "iio", "sysfs": "iio", "raw": "iio", "replay": "replay:FILE",
    ])

  static let gyroscope = Words<Bool>(
    kind: "\"auto\" or \"off\"", words: [("auto", true), ("off", false)],
    foreign: ["on": "auto", "yes": "auto", "true": "auto", "no": "off", "false": "off", "never": "off"])

  /// xrandr's numbers, and the words of iio-sensor-proxy, Android and UIKit.
  private static let aliases = [
    "0": "normal", "top-up": "normal", "none": "normal",
    "90": "left", "left-up": "left", "270": "right", "right-up": "right",
    "180": "inverted", "bottom-up": "inverted", "upside-down": "inverted", "flipped": "inverted",
  ]
}

// MARK: On the command line

/// Suggestions for mistyped words of the command line.
package enum WordSuggestion {
  private static let foreign = Word.orientations.foreign
    .merging(Word.posture.foreign) { first, _ in first }
    .merging([
      "up": "normal", "natural": "normal", "upright": "normal", "clockwise": "next",
      "anticlockwise": "previous", "counterclockwise": "previous", "back": "previous", "prev": "previous",
    ]) { first, _ in first }

  /// - Returns: the candidate with this name in another system, or else with a similar spelling.
  package static func among(_ candidates: [String], by word: String) -> String? {
    if let known = foreign[word.lowercased()], candidates.contains(known) { return known }
    return Spelling.nearest(to: word, among: candidates)
  }
}

extension MachineSettings.SensorSource {
  /// "auto", "iio", "proxy" or "replay:FILE".
  package init?(word: String) {
    let trace = "replay:"
    if word.hasPrefix(trace), word.count > trace.count {
      self = .replay(path: String(word.dropFirst(trace.count)))
    } else if let source = Word.sensorSource[word] {
      self = source
    } else {
      return nil
    }
  }

  package static var allWords: [String] { Word.sensorSource.words.map(\.word) + ["replay:FILE"] }
}

extension PanelMount {
  /// The words of settings and of the command line.
  package var word: String { ["top-up", "left-side-up", "upside-down", "right-side-up"][Int(rawValue)] }

  package init?(word: String) {
    guard let mount = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = mount
  }
}

/// Suggestions for mistyped words.
enum Spelling {
  /// The candidate nearest to a mistyped word, if one is similar enough.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = plain(word)
    guard !word.isEmpty, word.count <= 40 else { return nil }
    let distances = candidates.map { ($0, distance(word, plain($0))) }
    guard let (candidate, edits) = distances.min(by: { $0.1 < $1.1 }) else { return nil }
    return edits <= max(1, min(word.count, candidate.count) / 3) ? candidate : nil
  }

  /// Ignores case, hyphens, underscores and blanks.
  private static func plain(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  /// The edit distance of two words: letters added, missing, wrong or swapped (Damerau–Levenshtein, optimal string
  /// alignment).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, beforeLast[j - 1] + 1) }
        row.append(edits)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
