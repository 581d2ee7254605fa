// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import System

/// Makes the login screen start autorotate, or removes that again.
struct GreeterSetup {
  let manager: DisplayManager
  /// `root` replaces /; `prefix` is where our own files are installed: PREFIX.
  let root: String
  let prefix: String

  /// Where copies of autorotate for all users are.
  private static let systemPrefixes = ["/usr", "/usr/local"]

  /// Whether another copy for all users may have the same settings: those of GDM name no copy.
  var isShared: Bool {
    manager == .gdm
      && Self.systemPrefixes.contains {
        $0 != prefix && SystemFile.exists("\(root)\($0)/libexec/autorotate/greeter")
      }
  }

  private var wrapper: String { "\(prefix)/libexec/autorotate/greeter" }

  /// - Returns: the file that was written.
  func add() throws -> String {
    try checkInstallation()
    guard let settings = manager.configuration else { return try wrapGreetd() }
    let ours = try installed(settings.name)
    let found = try file(settings.path).found()
    // An administrator may have added to it.
    let new = found.map { Self.adding(ours, to: $0) } ?? ours
    if new != found { try file(settings.path).write(new, over: found) }
    return settings.path
  }

  /// Removes our lines. Lines that the administrator added to a file stay, and so does a file of another copy.
  /// - Returns: the file that was changed or removed; `nil` if it had nothing of ours.
  func remove() throws -> String? {
    guard let settings = manager.configuration else { return try unwrapGreetd() }
    guard let found = try file(settings.path).found() else { return nil }
    let ours = try installed(settings.name)
    guard found != ours else {
      try file(settings.path).remove(found)
      return settings.path
    }
    guard !isOfAnotherCopy(found, besides: ours) else { return nil }
    let rest = Self.lines(found).filter { Self.isHeader($0) || !Self.lines(ours).contains($0) }
    guard rest != Self.lines(found) else { return nil }
    try file(settings.path).write(Array(rest.joined(separator: [UInt8(ascii: "\n")])), over: found)
    return settings.path
  }

  /// Whether it lacks the line that names our files.
  private func isOfAnotherCopy(_ found: [UInt8], besides ours: [UInt8]) -> Bool {
    let own = Self.lines(ours).filter { String(decoding: $0, as: UTF8.self).contains("\(prefix)/") }
    return !own.isEmpty && !own.contains { Self.lines(found).contains($0) }
  }

  private func installed(_ name: String) throws -> [UInt8] {
    let source = "\(root)\(prefix)/share/autorotate/greeter/\(name)"
    if let bytes = SystemFile.bytes(of: source, maximumBytes: 4096) { return bytes }
    throw missing(source)
  }

  private func missing(_ path: String) -> Message {
    Message(
      .commandNotPossible, "\(path.printable(limit: 1000)), a file of autorotate, is missing",
      next: "install autorotate with its package or with `make install`")
  }

  /// A user who can replace one of these would choose what the login screen runs; SDDM runs its file as root.
  private func checkInstallation() throws {
    let programs = ["bin/autorotate", "libexec/autorotate/greeter", "libexec/autorotate/sddm-display"]
    let settings = manager.configuration.map { ["share/autorotate/greeter/\($0.name)"] } ?? []
    for path in (programs + settings).map({ "\(root)\(prefix)/\($0)" }) {
      // Root's home is no reason to leave out what is above it.
      if let problem = FileTrust(home: nil).problem(onWayTo: path) { throw Message.notTrusted(path, problem) }
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// The administrator's file with our settings that it lacks, at the end of their groups, where they override others.
  private static func adding(_ ours: [UInt8], to found: [UInt8]) -> [UInt8] {
    let settings = Self.lines(ours).filter { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
    var lines = Self.lines(found).filter { !isOutdated($0, settings) }
    var header: ArraySlice<UInt8> = []
    for line in settings {
      if isHeader(line) { header = line }
      if !lines.contains(line) { lines.insert(line, at: end(of: header, in: lines)) }
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Whether it sets the same key, for autorotate in another place.
  private static func isOutdated(_ line: ArraySlice<UInt8>, _ settings: [ArraySlice<UInt8>]) -> Bool {
    let key = line.prefix { $0 != UInt8(ascii: "=") }
    return !settings.contains(line) && String(decoding: line, as: UTF8.self).contains("autorotate")
      && settings.contains { $0.prefix { $0 != UInt8(ascii: "=") } == key }
  }

  /// The index behind the last line of a group; of the file if it has no such group.
  private static func end(of header: ArraySlice<UInt8>, in lines: [ArraySlice<UInt8>]) -> Int {
    let start = lines.firstIndex(of: header).map { $0 + 1 } ?? lines.count
    var end = lines[start...].firstIndex(where: { $0.first == UInt8(ascii: "[") }) ?? lines.count
    while end > 0, lines[end - 1].isEmpty { end -= 1 }
    return end
  }

  /// Headers and empty lines stay.
  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    line.isEmpty || line.first == UInt8(ascii: "[")
  }

  // MARK: greetd

  /// The settings file of greetd: the one that exists.
  private var greetdPath: String {
    let paths = manager.greetdSettings
    return paths.first { SystemFile.exists(root + $0) } ?? paths[0]
  }

  private func wrapGreetd() throws -> String {
    let (path, settings) = try greetd()
    // greetd has no other login screen to show.
    guard SystemFile.exists(root + wrapper) else { throw missing(root + wrapper) }
    guard let command = settings.command else {
      throw Message(
        .commandNotPossible, "\(path) has no command in quotes in [default_session]",
        next: "write the command there in quotes, with \(wrapper) before the greeter")
    }
    guard let wrapped = settings.wrapped else {
      throw Message(
        .commandNotPossible, "\(path) starts \(command.printable()), which has no greeter after --",
        next: "write \(wrapper) before the greeter in the settings of the compositor that shows it")
    }
    if !settings.isWrapped { try file(path).write(wrapped, over: settings.bytes) }
    return path
  }

  private func unwrapGreetd() throws -> String? {
    guard SystemFile.exists(root + greetdPath) else { return nil }
    let (path, settings) = try greetd()
    guard settings.isWrapped else { return nil }
    try file(path).write(settings.unwrapped, over: settings.bytes)
    return path
  }

  private func greetd() throws -> (path: String, settings: GreetdSettings) {
    let path = greetdPath
    guard let bytes = try file(path).found() else {
      throw Message(.commandNotPossible, "\(path) cannot be read")
    }
    return (path, GreetdSettings(bytes: bytes, wrapper: wrapper))
  }

  private func file(_ path: String) -> SettingsFile { SettingsFile(path: root + path, isForAllUsers: true) }
}

extension Message {
  fileprivate static func notTrusted(_ file: String, _ problem: FileTrust.Problem) -> Self {
    let (reason, correction) = problem.words(isOfUser: true)
    var next: Phrase = "install autorotate for all users, with its package or with `sudo make install`"
    if case .writableByOthers = problem { next = correction }
    return Self(
      .commandNotPossible, "the login screen would use \(file.printable(limit: 1000)), but \(reason)",
      next: next)
  }
}
