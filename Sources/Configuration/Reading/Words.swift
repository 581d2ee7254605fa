// SPDX-License-Identifier: MIT

import Autorotation

/// The words that may stand for a value, and what people write by mistake because another system says so.
struct Words<Value: Sendable>: Sendable {
  /// What they name, with its article.
  let kind: Phrase
  let words: [(word: String, value: Value)]
  let foreign: [String: String]

  subscript(word: String) -> Value? { words.first { $0.word == word }?.value }

  /// What to write instead of a word that is none of these.
  func advice(for word: String) -> Phrase {
    let list = words.map(\.word)
    if let meant = foreign[word.lowercased()] ?? Likeness.nearest(to: word, among: list) {
      return "Did you mean \"\(meant)\"?"
    }
    return "Write one of \(list.map { "\"\($0)\"" }.joined(separator: ", "))."
  }
}

enum Vocabulary {
  static let orientations = Words(
    kind: "an orientation", words: OrientationWord.allCases.map { ($0.rawValue, $0) },
    foreign: turns.merging(["any": "all", "horizontal": "landscape", "vertical": "portrait"]) { $1 })

  static let orientation = Words(
    kind: "an orientation", words: InterfaceOrientation.allCases.map { ($0.word, $0) },
    foreign: turns.merging(["natural": "normal", "landscape": "normal", "portrait": "left"]) { $1 })

  static let rotateIn = Words(
    kind: "\"always\" or \"tablet\"", words: Settings.RotateIn.allCases.map { ($0.rawValue, $0) },
    foreign: [
      "all": "always", "any": "always", "laptop": "always", "tablet-mode": "tablet", "never": "tablet",
    ])

  /// DRM's "panel orientation".
  static let panelMounts = Words<PanelMount?>(
    kind: "a panel mount",
    words: [("auto", nil)] + PanelMount.allCases.map { ($0.word, $0) },
    foreign: [
      "normal": "top-up", "inverted": "upside-down", "bottom-up": "upside-down",
      "left": "left-side-up", "left-up": "left-side-up", "right": "right-side-up",
      "right-up": "right-side-up",
    ])

  static let sensorSources = Words<MachineSettings.SensorSource>(
    kind: "a sensor source", words: [("auto", .auto), ("iio", .iio), ("proxy", .proxy)],
    foreign: [
      "iio-sensor-proxy": "proxy", "libiio": "iio", "sysfs": "iio", "raw": "iio", "replay": "replay:FILE",
    ])

  static let automatic = Words(kind: "a word", words: [("auto", true)], foreign: [:])

  /// xrandr's numbers, iio-sensor-proxy's words, Android's and UIKit's.
  private static let turns = [
    "0": "normal", "top-up": "normal", "none": "normal",
    "90": "left", "left-up": "left", "270": "right", "right-up": "right",
    "180": "inverted", "bottom-up": "inverted", "upside-down": "inverted", "flipped": "inverted",
  ]
}

extension PanelMount {
  /// The words of settings and of the command line.
  package var word: String {
    switch self {
    case .topUp: "top-up"
    case .leftSideUp: "left-side-up"
    case .upsideDown: "upside-down"
    case .rightSideUp: "right-side-up"
    }
  }

  package init?(word: String) {
    guard let mount = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = mount
  }
}
