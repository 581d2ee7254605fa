// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import DesktopBackends
import Language
import System

struct WindowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "windows", abstract: localized("List the open apps, their names and rules."),
    discussion: localized(
      """
      The focused app comes first. If autorotate cannot list all windows of the desktop, recently focused apps are listed.
      """))

  @Flag(help: .localized("Print one JSON object."))
  var json = false

  mutating func run() throws {
    let (windows, isComplete) = try MainActor.assumeIsolated { try ControlClient().windows() }
    if json {
      return Console.print("\(JSON.object([("complete", .bool(isComplete)), ("windows", windows.json)]))")
    }
    windows.flatMap(\.lines).forEach(Console.print)
    if windows.isEmpty { Console.print(localized("No windows are known.")) }
    guard !isComplete else { return }
    let isUnknown = MainActor.assumeIsolated {
      OpenApplications.reportUnknownFocus(ControlClient.statusIfAnswered())
    }
    guard !isUnknown else { return }
    Console.log(localized("Only apps that had focus recently are listed."))
  }
}

/// The applications that have windows, by any of their names.
@MainActor enum OpenApplications {
  /// All names of an application, this one first. It is the only one if there is no daemon, or no such window.
  static func names(of name: String) -> [String] {
    let window = windows.first { $0.names.contains { $0.lowercased() == name.lowercased() } }
    return [name] + (window?.names ?? []).filter { $0 != name }
  }

  /// Warns that the focused application is unknown if the desktop does not report it, with the next step.
  /// - Parameter status: of the daemon; `nil` without one.
  /// - Returns: whether it is.
  @discardableResult
  static func reportUnknownFocus(_ status: StatusReport?) -> Bool {
    // If the daemon knows one, the desktop need not be inspected.
    guard status?.application.isEmpty == true,
      let focus = try? SessionDescription.current().choice().kind.inspect().focus, focus.code == .focusUnknown
    else { return false }
    Console.log(focus)
    return true
  }

  /// Warns that a name may be mistyped if no application on this machine has it, and that the focused application is
  /// unknown if the desktop does not report it.
  /// - Parameters:
  ///   - name: as a rule matches it.
  ///   - status: of the daemon; `nil` without one, or if it does not answer.
  static func warn(ifMissing name: String, _ status: StatusReport?) {
    reportUnknownFocus(status)
    let doubt = doubt(about: name, openNames(status), InstalledApplications())
    if let doubt { Console.log(localized(doubt)) }
  }

  /// Notes on the user's rules, without patterns, of which no application on this machine has a name.
  /// - Parameter status: as above.
  static func notes(on files: [Configuration.RuleFile], _ status: StatusReport?) -> [Diagnostic] {
    let files = files.filter { $0.layer == .user && $0.state == .inForce }
    guard !files.isEmpty else { return [] }
    let (open, installed) = (openNames(status), InstalledApplications())
    return files.compactMap { file in
      let names = file.rule?.matches ?? []
      guard !names.joined().contains(where: { "*?".contains($0) }) else { return nil }
      let doubts = names.compactMap { doubt(about: $0, open, installed) }
      return doubts.count == names.count ? doubts.first.map(file.note) : nil
    }
  }

  private static func openNames(_ status: StatusReport?) -> [String] {
    status == nil ? [] : windows.flatMap(\.names)
  }

  /// - Parameters:
  ///   - open: the names of open applications.
  ///   - installed: not searched for if it is open.
  private static func doubt(
    about name: String, _ open: [String], _ installed: @autoclosure () -> InstalledApplications
  ) -> Phrase? {
    guard !open.contains(where: { ApplicationRule.pattern(name, matches: $0) }) else { return nil }
    let (shown, installed) = (name.printable(), installed())
    if let id = installed.application(startedBy: name) {
      return "\(shown) is the program of \(id.printable()); if the rule does not apply, use that name instead"
    }
    guard !installed.contain(name) else { return nil }
    guard let nearest = WordSuggestion.among(open + installed.names, by: name) else {
      return "no app called \(shown) is open or installed; `autorotate windows` lists the names of open ones"
    }
    return "no app called \(shown) is open or installed; did you mean \(nearest.printable())?"
  }

  /// Warns that a rule for a title never applies if the desktop does not report titles.
  /// - Parameter hasRule: whether there is such a rule; asked only on such a desktop.
  static func warnIfTitlesAreUnknown(_ hasRule: @autoclosure () -> Bool = true) {
    guard (try? SessionDescription.current().choice().kind.reportsTitles) == false, hasRule() else { return }
    Console.log(
      localized("this desktop does not report titles of windows, so a rule for a title never applies"))
  }

  private static var windows: [WindowReport] { (try? ControlClient().windows())?.0 ?? [] }
}

/// The rules in effect for an application that has a window, as sent over the bus.
struct WindowReport: Report {
  static let fields: [ReportField<Self>] = [
    .init("names", \.names), .init("inFront", \.isInFront), .init("fullscreen", \.isFullscreen),
    .init("rule", \.rule), .init("layer", \.layer), .init("allowed", \.allowed), .init("others", \.others),
  ]

  /// All names that rules may match.
  var names: [String] = []
  /// The title of the focused window, by `GetChoices`; empty for others, and while no rule depends on titles.
  var title = ""
  var isInFront = false
  var isFullscreen = false
  /// file:line and layer of the rule that applies; empty for none.
  var rule = ""
  var layer = ""
  var allowed: [String] = []
  /// Its rules that do not apply, with the reasons, for the user.
  var others: [String] = []

  init() {}

  init(_ explanation: Explanation, isInFront: Bool) {
    names = explanation.identifiers
    self.isInFront = isInFront
    isFullscreen = explanation.isFullscreen
    if let rule = explanation.rule {
      self.rule = rule.source
      layer = "\(rule.layer)"
    }
    allowed = explanation.allowed.orientations.map(\.word)
    others = explanation.others.map { localized("\($0.rule.source): \($0.why)") }
  }

  var json: JSON { .object(Self.fields.map { ($0.name, $0.json(self)) } + [("title", title.json)]) }

  /// For the user, in one or more lines.
  var lines: [String] {
    let size: Phrase = isFullscreen ? ", fullscreen" : ""
    let place: Phrase = isInFront ? ", focused" : ""
    let heading = "\(names.joined(separator: ", "))\(localized(place))\(localized(size))"
    let source: Phrase = rule.isEmpty ? "no rule" : Phrase(verbatim: rule)
    let effect: Phrase = "\(allowed.joined(separator: ", ")) (\(source))"
    let titleLines = title.isEmpty ? [] : ["  " + localized("title: \(title)")]
    return [heading] + titleLines + ["  " + localized(effect)]
      + others.map { "  " + localized("not used: \($0)") }
  }
}
