// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import Language
package import System

extension Configuration {
  /// Reads all files, and adds diagnostics for files next to them that are not read.
  package static func read(from directories: ConfigurationDirectories, on aspect: PanelAspect? = nil) -> Self
  {
    let search = FileSearch(directories)
    var configuration = read(search.files, on: aspect)
    configuration.diagnostics += search.diagnostics + directories.all.flatMap { StrayFiles($0).diagnostics }
    return configuration
  }
}

/// Finds and reads all files of settings. Not those that another user can have written: settings name programs to run.
struct FileSearch {
  /// Lists a directory.
  typealias Lister = (String) throws(SystemError) -> [String]

  /// Highest precedence first; those of one directory by name.
  private(set) var files: [ConfigurationFile] = []
  /// Why directories, or files of other users, were not read.
  private(set) var diagnostics: [Diagnostic] = []
  /// Whether descriptors or memory were short, so that reading again later may succeed.
  private(set) var isIncomplete = false
  /// The files as last read. They replace those that cannot be read now.
  private let former: [ConfigurationFile]
  private let trust: FileTrust
  private var reported: [FileTrust.Problem] = []

  init(
    _ directories: ConfigurationDirectories, former: [ConfigurationFile] = [],
    home: String? = Environment.variable("HOME"), names: Lister = SystemFile.entries(of:)
  ) {
    self.former = former
    trust = FileTrust(home: home)
    for directory in directories.all {
      if directory.mayHaveSettings {
        add(directory.settings, .settings, directory, trust.problem(onWayTo: directory.settings))
      }
      addRules(of: directory, names)
    }
  }

  /// Why a file of the user would not be read; `nil` if it would be.
  func refusal(of path: String) -> Diagnostic? {
    trust.problem(onWayTo: path).map { Diagnostic($0, with: path, isOfUser: true) }
  }

  private mutating func add(
    _ path: String, _ kind: ConfigurationFile.Kind, _ directory: ConfigurationDirectories.Directory,
    _ problem: FileTrust.Problem?
  ) {
    guard let content = Self.content(of: path) else { return }
    if let problem { return reject(path, directory, problem) }
    // It may be read, but could not be.
    if case .unreadable = content, SystemFile.isFile(path), access(path, R_OK) == 0 { isIncomplete = true }
    files.append(ConfigurationFile(path: path, kind: kind, layer: directory.layer, content: content))
  }

  private mutating func addRules(of directory: ConfigurationDirectories.Directory, _ list: Lister) {
    let path = directory.rules
    do throws(SystemError) {
      let names = try list(path).filter(Self.isRule).sorted()
      guard !names.isEmpty else { return }
      if let problem = trust.problem(onWayTo: path) { return reject(path, directory, problem) }
      let place = SystemFile.realPath(path) ?? path
      for name in names {
        add("\(path)/\(name)", .rule, directory, trust.problem(onWayTo: name, from: place))
      }
    } catch {
      keepRules(in: path, error)
    }
  }

  /// Each problem is reported once, whatever number of files it concerns.
  private mutating func reject(
    _ path: String, _ directory: ConfigurationDirectories.Directory, _ problem: FileTrust.Problem
  ) {
    files += formerFiles(path)
    guard !reported.contains(problem) else { return }
    reported.append(problem)
    diagnostics.append(Diagnostic(problem, with: path, isOfUser: directory.layer == .user))
  }

  /// The rules of a directory that was readable stay until it is readable again.
  private mutating func keepRules(in path: String, _ error: SystemError) {
    let former = formerFiles(path)
    // Without a free descriptor, this fails for a missing directory, too.
    let isShort = [EMFILE, ENFILE, ENOMEM, EIO].contains(error.code) && !Self.isMissing(path)
    guard isShort || error.code == EACCES && !former.isEmpty else { return }
    files += former
    isIncomplete = true
    diagnostics.append(Diagnostic(severity: .error, path: path, message: "cannot be read: \(error.reason)"))
  }

  /// The file of this path as last read, or those in this directory.
  private func formerFiles(_ path: String) -> [ConfigurationFile] {
    let found = former.filter { $0.path == path || SystemFile.split($0.path).directory == "\(path)/" }
    return found.sorted { $0.name < $1.name }
  }

  /// Whether a file name in `apps` is that of a rule; editors may leave other files there.
  static func isRule(_ name: String) -> Bool { name.hasSuffix(".toml") && !name.hasPrefix(".") }

  private static func isMissing(_ path: String) -> Bool {
    access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// - Returns: `nil` if there is no such file. A larger one is returned with one byte more.
  static func content(
    of path: String, _ maximumBytes: Int = ParsedFile.maximumBytes
  ) -> ConfigurationFile.Content? {
    // A link to /dev/null is read as an empty file: a common way to disable something.
    let types = [S_IFREG, S_IFCHR]
    do throws(SystemError) {
      guard let bytes = try SystemFile.bytes(of: path, maximumBytes: maximumBytes + 1, types: types) else {
        return .unreadable(reason: localized("it is not a file"))
      }
      return .bytes(bytes)
    } catch {
      return isMissing(path) ? nil : .unreadable(reason: error.reason)
    }
  }
}

extension Diagnostic {
  /// - Parameter path: of a file or directory that is not read.
  fileprivate init(_ problem: FileTrust.Problem, with path: String, isOfUser: Bool) {
    let (reason, next) = problem.words(isOfUser: isOfUser)
    self.init(
      severity: .error, path: path, message: "is not read, because \(reason)", advice: "To use it, \(next)")
  }
}

extension FileTrust.Problem {
  /// The reason not to use a file, and the next step.
  /// - Parameter isOfUser: whether the file is this user's, not the administrator's.
  package func words(isOfUser: Bool) -> (reason: Phrase, next: Phrase) {
    let command = command(isOfUser: isOfUser)
    switch self {
    case .writableByOthers(let place):
      return ("others may write to \(place.printable(limit: 1000))", "restrict it with: \(command)")
    case .ownedByOthers(let place):
      return (
        "\(place.printable(limit: 1000)) belongs to another user",
        "check its content, then change its owner with: \(command)"
      )
    }
  }

  private func command(isOfUser: Bool) -> String {
    switch self {
    case .writableByOthers(let place): (isOfUser ? "" : "sudo ") + "chmod go-w \(place.asArgument)"
    // A link itself belongs to another user; a place behind a link is a real path.
    case .ownedByOthers(let place): "sudo chown -h \(isOfUser ? "$USER" : "root") \(place.asArgument)"
    }
  }
}
