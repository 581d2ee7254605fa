// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language

/// Changes the rule of an application, and prints which rules apply afterwards.
struct RuleReport {
  private let directories = ConfigurationDirectories()
  let application: String
  /// Of the windows that the rule is for; empty for all.
  var titles: [String] = []

  func perform(_ change: (RuleBook) throws(Message) -> RuleChange) throws(Message) {
    let change = try change(RuleBook(directories, titles: titles.isEmpty ? nil : titles))
    if !change.isNothing { try change.perform() }
    ([result(of: change)] + lines(after: change)).forEach(Console.print)
  }

  private func result(of change: RuleChange) -> String {
    let path = change.path.printable(limit: 1000)
    if change.isRemoval { return localized("Removed \(path).") }
    let undo = "autorotate rule remove \(application.asArgument)"
    if change.isNothing, change.isSwitch {
      return localized("The rule is already disabled, by \(path). To undo: \(undo)")
    }
    if change.isNothing { return localized("\(path) already has this rule.") }
    if change.isSwitch {
      return localized("Wrote \(path), an empty file: it disables the rule. To undo: \(undo)")
    }
    return localized("Wrote \(path).")
  }

  private func lines(after change: RuleChange) -> [String] {
    let name = application.printable()
    let rules = Configuration.read(from: directories).settings.rules.counting(for: application)
    guard let first = rules.first else {
      return [localized("No rule applies to \(name) now. The screen follows the device.")]
    }
    let returns = change.isRemoval && first.layer != .user
    let heading: Phrase = returns ? "Rule again in effect for \(name):" : "Rule now in effect for \(name):"
    return [localized(heading)] + rules.map { "  \($0.line)" }
  }
}

extension ApplicationRule {
  /// The rule, its file and its origin.
  var line: String { "\(summary)  (\(source), \(localized(layer.words)))" }
}
