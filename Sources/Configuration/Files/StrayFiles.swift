// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Files in one directory that look like settings but are not read because of their name or place.
struct StrayFiles {
  private let directory: ConfigurationDirectories.Directory
  private(set) var diagnostics: [Diagnostic] = []

  /// Names used by mistake for config.toml and apps.
  private static let settingsNames = ["config", "conf", "settings", "autorotate", "autorotaterc"]
  private static let rulesNames = ["app", "rules", "rule", "applications", "apps.d"]
  /// Files left by editors and package managers, and files disabled or documented by users.
  private static let leftOverEndings = [
    "~", ".swp", ".bak", ".orig", ".old", ".save", ".off", ".disabled", ".rej", ".tmp", ".new", ".rpmnew",
    ".rpmsave", ".pacnew", ".pacsave", ".md",
  ]
  private static let foreignEndings = [
    ".txt", ".conf", ".cfg", ".ini", ".yaml", ".yml", ".json", ".tml", ".tom",
  ]

  init(_ directory: ConfigurationDirectories.Directory) {
    self.directory = directory
    if directory.mayHaveSettings { checkNextToSettings() }
    checkRules()
  }

  // MARK: In apps

  private mutating func checkRules() {
    let names = Self.names(in: directory.rules)
    for name in names where !FileSearch.isRule(name) {
      let path = "\(directory.rules)/\(name)"
      if SystemFile.isDirectory(path) {
        warn(path, "is a folder; rules in it are not read", "Move its rules into \(directory.rules).")
      } else {
        warn(
          path, "is not read: the name of a rule file must end with .toml",
          "Rename it to \(Self.ruleName(for: name)).")
      }
    }
  }

  /// "mpv.toml" for "mpv", "mpv.txt", "mpv.TOML" and "mpv.toml.txt".
  static func ruleName(for name: String) -> String {
    let plain = name.lowercased()
    if let end = plain[...].firstRange(of: ".toml")?.lowerBound {
      return name.prefix(plain.distance(from: plain.startIndex, to: end)) + ".toml"
    }
    let ending = foreignEndings.first { plain.hasSuffix($0) && plain != $0 } ?? ""
    return name.dropLast(ending.count) + ".toml"
  }

  // MARK: Next to config.toml

  private mutating func checkNextToSettings() {
    let names = Self.names(in: directory.path)
    for name in names where "\(directory.path)/\(name)" != directory.settings && name != "apps" {
      let path = "\(directory.path)/\(name)"
      if SystemFile.isDirectory(path) {
        checkFolder(path, name)
      } else {
        checkFile(path, name)
      }
    }
    for path in [".toml", ".conf"].map({ directory.path + $0 }) where SystemFile.isFile(path) {
      warnAboutSettings(path)
    }
  }

  private mutating func checkFolder(_ path: String, _ name: String) {
    let plain = name.lowercased()
    if Self.rulesNames.contains(plain) || Spelling.nearest(to: plain, among: ["apps"]) != nil {
      warn(path, "is not read: rules belong in apps", "Rename it to \(directory.rules).")
    }
  }

  private mutating func checkFile(_ path: String, _ name: String) {
    let plain = name.lowercased()
    let stem = String(plain.prefix { $0 != "." })
    if Spelling.nearest(to: stem, among: Self.settingsNames) != nil {
      warnAboutSettings(path)
    } else if plain.hasSuffix(".toml") {
      warn(
        path, "is not read here: rules belong in apps", "If it is a rule, move it into \(directory.rules).")
    }
  }

  private mutating func warnAboutSettings(_ path: String) {
    let hasSettings = SystemFile.exists(directory.settings)
    warn(
      path, "is not read: settings belong in config.toml",
      hasSettings ? "Move its contents into \(directory.settings)." : "Rename it to \(directory.settings).")
  }

  // MARK: Files

  private mutating func warn(_ path: String, _ message: Phrase, _ advice: Phrase) {
    diagnostics.append(Diagnostic(severity: .warning, path: path, message: message, advice: advice))
  }

  private static func names(in directory: String) -> [String] {
    SystemFile.names(in: directory).filter { !isLeftOver($0) }.sorted()
  }

  private static func isLeftOver(_ name: String) -> Bool {
    name.hasPrefix(".") || name.hasPrefix("#") || name.hasPrefix("README") || name.contains(".dpkg-")
      || leftOverEndings.contains { name.hasSuffix($0) }
  }
}
