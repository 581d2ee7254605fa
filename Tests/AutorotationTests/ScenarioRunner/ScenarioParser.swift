// SPDX-License-Identifier: MIT

import Autorotation

/// Reads a scenario: comment; set-up and events; a blank line; expectations.
struct ScenarioParser {
  var scenario = Scenario()
  /// The display system's numbers for windows, and whether they are fullscreen.
  var windows: [String: (id: UInt64, isFullscreen: Bool)] = [:]
  var requests: [String: UInt32] = [:]
  private var lastTime = Instant(nanoseconds: 0)

  fileprivate static func read(_ text: String) throws -> Scenario {
    var parser = Self()
    try parser.read(text)
    return parser.scenario
  }

  private mutating func read(_ text: String) throws {
    var paragraphs = Self.paragraphs(of: text)
    guard paragraphs.count > 1, let expected = paragraphs.popLast() else {
      throw ScenarioMistake(
        line: paragraphs.last?.last?.line ?? 1,
        text: "a blank line and what is expected are missing (write 'nothing' if nothing should rotate)")
    }
    try scenario.world.outputs.append(Self.panel(from: Words("landscape", line: 1)))
    for words in paragraphs.joined() { try readLine(words) }
    for words in expected { try readExpected(words) }
  }

  private static func paragraphs(of text: String) -> [[Words]] {
    var paragraphs: [[Words]] = [[]]
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let isBlank = line.allSatisfy(\.isWhitespace)
      if isBlank { paragraphs.append([]) }
      guard !isBlank, !line.hasPrefix("#") else { continue }
      paragraphs[paragraphs.count - 1].append(Words(line, line: number + 1))
    }
    return paragraphs.filter { !$0.isEmpty }
  }

  private mutating func readLine(_ words: Words) throws {
    var words = words
    if let time = try Self.time(&words) {
      guard time >= lastTime else { throw words.mistake("this comes after a later time") }
      lastTime = time
      try readEvent(&words, at: time)
    } else {
      try readSetUp(&words)
    }
    try words.finish()
  }

  /// The seconds that a line begins with, if it does.
  static func time(_ words: inout Words) throws -> Instant? {
    guard let seconds = words.take({ Double($0) }) else { return nil }
    guard seconds >= 0, seconds < 1e9 else { throw words.mistake("\(seconds) is not a time in seconds") }
    return Instant(seconds: seconds)
  }

  mutating func schedule(at time: Instant, _ change: @escaping World.WorldChange) {
    scenario.timedChanges.append(.init(time: time, change: change))
  }
}

extension Scenario {
  /// - Throws: the first `ScenarioMistake`.
  static func read(_ text: String) throws -> Scenario {
    try ScenarioParser.read(text)
  }
}
