// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// Files that look like settings and are not read, because of what they are called or where they lie.
struct StrayFiles {
  private(set) var diagnostics: [Diagnostic] = []

  /// What people call config.toml and apps.
  private static let settingsNames = ["config", "conf", "settings", "autorotate", "autorotaterc"]
  private static let rulesNames = ["app", "rules", "rule", "applications", "apps.d"]
  /// What editors and package managers leave, and people who switch a file off or explain it.
  private static let leftOverEndings = [
    "~", ".swp", ".bak", ".orig", ".old", ".save", ".off", ".disabled", ".rej", ".tmp", ".new", ".rpmnew",
    ".rpmsave",
    ".pacnew", ".pacsave", ".md",
  ]
  private static let foreignEndings = [
    ".txt", ".conf", ".cfg", ".ini", ".yaml", ".yml", ".json", ".tml", ".tom",
  ]

  init(_ directories: ConfigurationDirectories) {
    for directory in directories.all {
      if directory.mayHoldSettings { lookBesideSettings(directory) }
      lookAmongRules(directory)
    }
  }

  // MARK: In apps

  private mutating func lookAmongRules(_ directory: ConfigurationDirectories.Directory) {
    let names = Self.names(in: directory.rules)
    for name in names where !FileSearch.isRule(name) {
      let path = "\(directory.rules)/\(name)"
      if Self.isDirectory(path) {
        warn(path, "is a folder, in which no rules are read", "Move its rules into \(directory.rules).")
      } else {
        warn(
          path, "is not read: the name of a rule's file ends with .toml",
          "Rename it to \(Self.ruleName(for: name)).")
      }
    }
  }

  /// "mpv.toml" for "mpv", "mpv.txt", "mpv.TOML" and "mpv.toml.txt".
  static func ruleName(for name: String) -> String {
    let plain = name.lowercased()
    if let end = plain.firstRange(of: ".toml")?.lowerBound {
      return name.prefix(plain.distance(from: plain.startIndex, to: end)) + ".toml"
    }
    let ending = foreignEndings.first { plain.hasSuffix($0) && plain != $0 } ?? ""
    return name.dropLast(ending.count) + ".toml"
  }

  // MARK: Beside config.toml

  private mutating func lookBesideSettings(_ directory: ConfigurationDirectories.Directory) {
    let names = Self.names(in: directory.path)
    for name in names where "\(directory.path)/\(name)" != directory.settings && name != "apps" {
      let path = "\(directory.path)/\(name)"
      if Self.isDirectory(path) {
        lookAtFolder(path, name, directory)
      } else {
        lookAtFile(path, name, directory)
      }
    }
    for path in [".toml", ".conf"].map({ directory.path + $0 }) where SystemFile.isFile(path) {
      warnOfSettings(path, directory)
    }
  }

  private mutating func lookAtFolder(
    _ path: String, _ name: String, _ directory: ConfigurationDirectories.Directory
  ) {
    let plain = name.lowercased()
    guard Self.rulesNames.contains(plain) || Likeness.nearest(to: plain, among: ["apps"]) != nil else {
      return
    }
    warn(path, "is not read: rules are in apps", "Rename it to \(directory.rules).")
  }

  private mutating func lookAtFile(
    _ path: String, _ name: String, _ directory: ConfigurationDirectories.Directory
  ) {
    let plain = name.lowercased()
    let stem = String(plain.prefix { $0 != "." })
    if Likeness.nearest(to: stem, among: Self.settingsNames) != nil {
      warnOfSettings(path, directory)
    } else if plain.hasSuffix(".toml") {
      warn(path, "is not read here: rules are in apps", "If it is a rule, move it into \(directory.rules).")
    }
  }

  private mutating func warnOfSettings(_ path: String, _ directory: ConfigurationDirectories.Directory) {
    let isTaken = access(directory.settings, F_OK) == 0
    warn(
      path, "is not read: settings are in config.toml",
      isTaken ? "Move what it says into \(directory.settings)." : "Rename it to \(directory.settings).")
  }

  // MARK: What is there

  private mutating func warn(_ path: String, _ message: Phrase, _ advice: Phrase) {
    diagnostics.append(
      Diagnostic(.warning, path: path, message: localized(message), advice: localized(advice)))
  }

  private static func names(in directory: String) -> [String] {
    SystemFile.names(in: directory).filter { !isLeftOver($0) }.sorted()
  }

  private static func isLeftOver(_ name: String) -> Bool {
    name.hasPrefix(".") || name.hasPrefix("#") || name.hasPrefix("README") || name.contains(".dpkg-")
      || leftOverEndings.contains { name.hasSuffix($0) }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var file = stat()
    return stat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFDIR
  }
}
