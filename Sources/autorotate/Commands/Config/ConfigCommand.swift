// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language

/// Reads and changes single settings of config.toml.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: localized("Show and change settings."),
    discussion: localized(
      """
      A key is named with its section: desktop.rotate-in. Your comments and the order of your lines stay. What \
      `autorotate check` would refuse is not written.
      """),
    subcommands: [ConfigGet.self, ConfigList.self, ConfigSet.self, ConfigUnset.self])
}

struct ConfigGet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: localized(
      "Show the value of a setting, or all with their files."))

  @Argument(help: .said("Such as desktop.rotate-in.", valueName: "key"), completion: .keys)
  var key: String?

  mutating func run() throws {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    if let key, warnsIfRemoved(key) { return }
    if let key { return Console.say(try SettingKey(named: key).text(in: configuration)) }
    ConfigList.lines(configuration).forEach(Console.say)
  }
}

struct ConfigList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: localized(
      "List all settings, and the files of changed ones."))

  mutating func run() throws {
    Self.lines(Configuration.read(from: ConfigurationDirectories())).forEach(Console.say)
  }

  static func lines(_ configuration: Configuration) -> [String] {
    SettingKey.all.map { line($0, configuration) }
  }

  private static func line(_ key: SettingKey, _ configuration: Configuration) -> String {
    let place = configuration.changedSettings.first { $0.name == key.title }.map {
      "  (\($0.path):\($0.line))"
    }
    return "\(key.name) = \(key.text(in: configuration))\(place ?? "")"
  }
}

struct ConfigSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: localized("Write a setting to your config.toml."))

  @Argument(help: .said("Such as desktop.rotate-in.", valueName: "key"), completion: .keys)
  var key: String

  // A command among the settings has options of its own.
  @Argument(
    parsing: .allUnrecognized,
    help: .said("Without quotes; several of a list each by itself, or with commas.", valueName: "value"),
    completion: .values)
  var value: [String]

  mutating func run() throws {
    if warnsIfRemoved(key) { return }
    let change = try SettingChange(of: key, to: value)
    Console.say(
      change.isChanged
        ? localized("\(change.name) is \(change.text) now: \(change.path)")
        : localized("\(change.name) is \(change.text) already: \(change.path)"))
    if let doubt = change.doubt { Console.complain(doubt) }
  }
}

struct ConfigUnset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: localized("Remove a setting from your config.toml."))

  @Argument(help: .said("Such as desktop.rotate-in.", valueName: "key"), completion: .keys)
  var key: String

  mutating func run() throws {
    if warnsIfRemoved(key) { return }
    let change = try SettingChange(of: key, to: nil)
    Console.say(
      change.isChanged
        ? localized("\(change.name) is \(change.text) again: \(change.path)")
        : localized("\(change.name) does not stand in \(change.path); it is \(change.text)."))
  }
}

/// - Returns: whether the previous release had this key, and this one ignores it.
private func warnsIfRemoved(_ key: String) -> Bool {
  guard let removed = RemovedName(key) else { return false }
  Console.complain(removed.warning(in: Configuration.read(from: ConfigurationDirectories())))
  return true
}

/// A setting that was written, or taken out, and what it is then.
private struct SettingChange {
  private static let keyboard = "tablet.on-screen-keyboard"

  let name: String
  let path: String
  let text: String
  let isChanged: Bool
  /// Why it will not do what it is for.
  let doubt: Message?

  /// - Parameter value: `nil` takes it out.
  init(of name: String, to value: [String]?) throws(Message) {
    let key = try SettingKey(named: name)
    let settings = try PersonalSettings(ConfigurationDirectories())
    isChanged = try settings.set(key, to: value)
    path = settings.path
    let configuration = Configuration.read(from: ConfigurationDirectories())
    text = key.text(in: configuration)
    doubt = key.name == Self.keyboard ? configuration.machine.missingKeyboard() : nil
    self.name = key.name
  }
}

extension CompletionKind {
  static var keys: Self { .list(SettingKey.all.map(\.name)) }

  /// The words that a value may be, for the key before it.
  static var values: Self {
    .custom { arguments, _, _ in
      let key = arguments.firstIndex(of: "set").map { $0 + 1 }
      guard let key, arguments.indices.contains(key) else { return [] }
      return (try? SettingKey(named: arguments[key]))?.words ?? []
    }
  }
}
