// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language

struct RuleList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: localized("List the rules, and which ones apply."))

  @Argument(help: .localized("Only the rules for this app.", valueName: "app"))
  var application: String?

  @Flag(name: .long, help: .localized("As one JSON array."))
  var json = false

  mutating func run() throws {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    let names = application.map { name in MainActor.assumeIsolated { OpenApplications.names(of: name) } }
    let files = configuration.ruleFiles.filter { file in names.map(file.isForAny(of:)) ?? true }
    // Also those of directories, whose files are not listed.
    let unread = configuration.errors.filter { error in
      error.place == nil && !configuration.ruleFiles.contains { $0.path == error.path }
    }
    unread.forEach { Console.log($0.description) }
    if json { return Console.print("\(JSON.array(files.map(\.json)))") }
    guard !files.isEmpty else { return Console.print(localized("No rules found.")) }
    for file in files {
      Console.print(file.line)
      configuration.faults(of: file.path).forEach { Console.print("  \(localized($0.message))") }
    }
  }
}

extension Configuration.RuleFile {
  /// Whether it is for an application with these names, or seems to be, if it is broken.
  func isForAny(of names: [String]) -> Bool {
    let patterns = rule?.matches ?? (state == .broken ? self.names : [])
    return patterns.contains { pattern in
      names.contains { ApplicationRule.pattern(pattern, matches: $0) }
    }
  }

  /// For the user: the rule and its state.
  var line: String {
    let says = rule?.line ?? path.printable(limit: 1000)
    return "\(says)\(localized(note))"
  }

  private var note: Phrase {
    switch state {
    case .inForce: rule == nil ? ": empty" : ""
    case .replaced(let path): ": replaced by \(path)"
    case .switchedOff(let path): ": disabled by \(path), which is empty"
    // The files were read now, but the daemon may have read this one while it was valid.
    case .broken: ": broken; a running autorotate keeps its last valid version"
    }
  }

  fileprivate var json: JSON {
    .object([
      ("file", .string(path)), ("layer", .string("\(layer)")), ("state", .string(word)),
      ("match", .array((rule?.matches ?? []).map(JSON.string))),
      ("title", rule?.titles.map { .array($0.map(JSON.string)) } ?? .null),
      ("fullscreen", rule?.fullscreen.map(JSON.bool) ?? .null),
      ("playing", rule?.playing.map(JSON.bool) ?? .null),
      ("posture", rule?.postures.map { .array($0.map { .string($0.rawValue) }) } ?? .null),
      ("supported", rule?.supported.map { .array($0.map { .string($0.rawValue) }) } ?? .null),
      ("preferred", rule?.preferred.map { .string($0.word) } ?? .null),
      ("autoRotate", rule.map { .bool($0.autoRotate) } ?? .null),
    ])
  }

  private var word: String {
    switch state {
    case .inForce: "in-force"
    case .replaced: "replaced"
    case .switchedOff: "switched-off"
    case .broken: "broken"
    }
  }
}
