// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: localized("Show and change settings."),
    discussion: localized(
      """
      Name a key with its section: desktop.rotate-in. Your comments and the order of your lines stay. A value that \
      `autorotate check` would reject is not written.
      """),
    subcommands: [ConfigGet.self, ConfigList.self, ConfigSet.self, ConfigUnset.self])
}

struct ConfigGet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: localized("Show the value of a setting, or all with their files."))

  @Argument(help: .localized("Such as desktop.rotate-in.", valueName: "key"), completion: .keys)
  var key: String?

  mutating func run() throws {
    if let key, warnsIfRemoved(key) { return }
    let configuration = readWarningOfErrors()
    if let key { return Console.print(try SettingKey(named: key).text(configuration)) }
    ConfigList.lines(configuration).forEach(Console.print)
  }
}

struct ConfigList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: localized("List all settings, and the files of changed ones."))

  mutating func run() throws {
    Self.lines(readWarningOfErrors()).forEach(Console.print)
  }

  static func lines(_ configuration: Configuration) -> [String] {
    SettingKey.all.map { key in
      let place = configuration.places[key.fullName].map { "  (\($0))" } ?? ""
      return "\(key.fullName) = \(key.text(configuration).printable(limit: .max))\(place)"
    }
  }
}

struct ConfigSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: localized("Write a setting to your config.toml."),
    usage: "autorotate config set <key> <value> ...")

  @Argument(help: .localized("Such as desktop.rotate-in.", valueName: "key"), completion: .keys)
  var key: String

  // A command among the settings has options of its own.
  @Argument(
    parsing: .allUnrecognized,
    help: .localized(
      "Without quotes. Give several values as separate words or with commas.", valueName: "value"),
    completion: .values)
  var value: [String] = []

  func validate() throws {
    guard value.isEmpty else { return }
    let words = (try? SettingKey(named: key))?.words ?? []
    throw words.isEmpty
      ? misuse("Give the value, too.")
      : misuse("Give the value, too: \(words.joined(separator: ", "))")
  }

  mutating func run() throws {
    if warnsIfRemoved(key) { return }
    let change = try SettingChange(of: key, to: value)
    Console.print(
      change.isChanged
        ? localized("\(change.name) is now \(change.text): \(change.path)")
        : localized("\(change.name) is already \(change.text): \(change.path)"))
    if let warning = change.warning { Console.log(warning) }
  }
}

struct ConfigUnset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset", abstract: localized("Remove a setting from your config.toml."))

  @Argument(help: .localized("Such as desktop.rotate-in.", valueName: "key"), completion: .keys)
  var key: String

  mutating func run() throws {
    if warnsIfRemoved(key) { return }
    let change = try SettingChange(of: key, to: nil)
    Console.print(
      change.isChanged
        ? localized("\(change.name) is back to \(change.text): \(change.path)")
        : localized("\(change.name) is not set in \(change.path); it is \(change.text)."))
  }
}

/// Warns of a settings file with errors, since a running daemon may still use the last valid version.
private func readWarningOfErrors() -> Configuration {
  let directories = ConfigurationDirectories()
  let configuration = Configuration.read(from: directories)
  let settings = directories.all.map(\.settings)
  if let path = configuration.errors.map(\.path).first(where: { settings.contains($0) }) {
    Console.log(
      localized(
        "\(path) has errors, so a running autorotate may have other values than these. To see the errors: autorotate check"
      ))
  }
  return configuration
}

/// - Returns: whether the previous release had this key, and this one ignores it.
private func warnsIfRemoved(_ key: String) -> Bool {
  guard let removed = RemovedName(key) else { return false }
  Console.log(removed.warning(in: Configuration.read(from: ConfigurationDirectories())))
  return true
}

/// A setting that was written or removed, and its value afterwards.
private struct SettingChange {
  let name: String
  let path: String
  let text: String
  let isChanged: Bool
  /// Why the setting has no effect.
  let warning: Message?

  /// - Parameter value: `nil` removes the setting.
  init(of name: String, to value: [String]?) throws(Message) {
    let key = try SettingKey(named: name)
    let settings = try UserSettings(ConfigurationDirectories())
    isChanged = try settings.set(key, to: value)
    path = settings.path
    let configuration = Configuration.read(from: ConfigurationDirectories())
    let path = path
    // An error with a place was there before, and concerns another setting.
    if let error = configuration.errors.first(where: { $0.path == path && $0.place == nil }) {
      throw Message(.commandFailed, "\(error.description)")
    }
    text = key.text(configuration)
    warning = key.fullName == "tablet.on-screen-keyboard" ? configuration.machine.missingKeyboard() : nil
    self.name = key.fullName
  }
}

extension CompletionKind {
  static var keys: Self { .list(SettingKey.all.map(\.fullName)) }

  /// The possible values of the key before it.
  static var values: Self {
    .names { arguments in
      let key = arguments.firstIndex(of: "set").map { $0 + 1 }
      guard let key, arguments.indices.contains(key) else { return [] }
      return (try? SettingKey(named: arguments[key]))?.words ?? []
    }
  }
}
