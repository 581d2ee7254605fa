// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language

/// Changes the rule of an application, and says what counts afterwards.
struct RuleReport {
  private let directories = ConfigurationDirectories()
  private let application: String

  init(of application: String) {
    self.application = application
  }

  func perform(_ change: (RuleBook) throws(Message) -> RuleChange) throws(Message) {
    let change = try change(RuleBook(directories))
    if !change.isNothing { try change.perform() }
    ([deed(change)] + lines(after: change)).forEach(Console.say)
  }

  private func deed(_ change: RuleChange) -> String {
    let path = change.path.printable(limit: 1000)
    if change.isRemoval { return localized("\(path) is removed.") }
    if change.isNothing { return localized("\(path) says so already.") }
    if change.isSwitch { return localized("\(path) is written, and empty: that switches the rule off.") }
    return localized("\(path) is written.")
  }

  private func lines(after change: RuleChange) -> [String] {
    let name = application.printable()
    let rules = Configuration.read(from: directories).settings.rules.counting(for: application)
    guard let first = rules.first else {
      return [localized("There is no rule for \(name) now: the picture turns with the device.")]
    }
    let returns = change.isRemoval && first.layer != .user
    let heading: Phrase = returns ? "For \(name) counts again:" : "For \(name) counts now:"
    return [localized(heading)] + rules.map { "  \($0.line)" }
  }
}

extension ApplicationRule {
  /// What it says, where that stands, and whose it is.
  var line: String { "\(summary)  (\(source), \(localized(layer.words)))" }
}
