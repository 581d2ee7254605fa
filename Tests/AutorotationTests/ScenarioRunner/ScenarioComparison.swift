// SPDX-License-Identifier: MIT

import Autorotation

/// Compares the actions of a run with the expectations of its scenario.
struct ScenarioComparison {
  private(set) var failures: [ScenarioMistake]

  init(_ run: ScenarioRun, of scenario: Scenario) {
    failures = run.failures
    let expected = scenario.expected
    let actions = Self.ActionList(run.log)
    compare(
      "the rotations", expected.rotations, actions.rotations(withWillAndDid: expected.comparesWillAndDid))
    for (keyword, items) in expected.lists.sorted(by: { $0.key < $1.key }) {
      compare("'\(keyword)'", items, actions.entries([keyword]))
    }
  }

  private mutating func compare(_ what: String, _ expected: [Expectations.Item], _ actual: [Entry]) {
    for (item, entry) in zip(expected, actual) where !entry.matches(item) {
      return fail(what, expected, actual, line: item.line)
    }
    if expected.count != actual.count {
      let line = expected.count > actual.count ? expected[actual.count].line : expected.last?.line ?? 1
      fail(what, expected, actual, line: line)
    }
  }

  private mutating func fail(_ what: String, _ expected: [Expectations.Item], _ actual: [Entry], line: Int) {
    let wanted = expected.map { "\n    \($0.time.inSeconds) \($0.words.joined(separator: " "))" }
    let found = actual.map { "\n    \($0.time.inSeconds) \($0.words.joined(separator: " "))" }
    let text =
      "\(what) differ. Expected:" + (wanted.isEmpty ? "\n    nothing" : wanted.joined())
      + "\n  but there were:" + (found.isEmpty ? "\n    none" : found.joined())
    failures.append(.init(line: line, text: text))
  }
}

extension ScenarioComparison {
  /// An action in the words of the scenario.
  struct Entry {
    var time: Instant
    var words: [String]

    /// Whether the expected words occur in this order, at the expected time.
    func matches(_ item: Expectations.Item) -> Bool {
      guard time.milliseconds == item.time.milliseconds, words.first == item.words.first else { return false }
      if ["reports", "refuses"].contains(words[0]) { return words[1].contains(item.words[1]) }
      var rest = words[...]
      return item.words.allSatisfy { word in
        guard let index = rest.firstIndex(of: word) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
    }
  }

  /// All actions in the words of the scenario.
  private struct ActionList {
    private var all: [Entry] = []

    init(_ log: [(time: Instant, action: Action, mount: PanelMount)]) {
      for (time, action, mount) in log {
        guard let words = Self.words(action, mount) else { continue }
        all.append(Entry(time: time, words: words))
      }
    }

    func entries(_ keywords: [String]) -> [Entry] { all.filter { keywords.contains($0.words[0]) } }

    func rotations(withWillAndDid: Bool) -> [Entry] {
      entries(withWillAndDid ? ["will", "rotate", "did"] : ["rotate"])
    }

    private static func words(_ action: Action, _ mount: PanelMount) -> [String]? {
      switch action {
      case .apply(let rotation, let changes):
        let transform = changes.first { $0.output == rotation.output }?.transform ?? .none
        let shown = transform.orientation(on: mount)
        return ["rotate", shown.word, "by", String(Int(transform.rawValue) * 90), "on"] + rotation.outputs
      case .willRotate(let rotation):
        return ["will", rotation.to.word, "\(rotation.width)x\(rotation.height)"]
      case .didRotate(let rotation): return ["did", rotation.to.word, "\(rotation.width)x\(rotation.height)"]
      case .suggest(let orientation): return ["suggests", orientation?.word ?? "nothing"]
      case .rotateOutput(let change):
        return ["rotates", change.output, change.transform.orientation(on: .topUp).word]
      case .saveRotations(let rotations):
        let all = rotations.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.word] }
        return ["keeps"] + (all.isEmpty ? ["nothing"] : all)
      case .saveLock(let orientation): return ["saves", orientation?.word ?? "nothing"]
      case .savePostureLocks(let locks):
        let all = locks.sorted { $0.key.rawValue < $1.key.rawValue }
        return ["remembers"] + all.flatMap { [$0.key.rawValue, $0.value.word] }
      case .repair: return ["repairs"]
      case .report(let message, _): return ["reports", message.description]
      case .refuse(let phrase): return ["refuses", phrase.description]
      case .setSensor, .postureChanged, .publish, .askDesktop: return nil
      }
    }
  }
}

extension PostureLock {
  fileprivate var word: String {
    if case .to(let orientation) = self { orientation.word } else { "free" }
  }
}
