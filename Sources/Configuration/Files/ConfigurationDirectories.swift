// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// The directories of settings, highest precedence first.
package struct ConfigurationDirectories: Equatable, Sendable {
  /// A directory that may contain `config.toml` and `apps`.
  package struct Directory: Equatable, Sendable {
    package var path: String
    package var layer: ApplicationRule.Layer

    /// The path of its settings file.
    package var settings: String { "\(path)/config.toml" }
    var rules: String { "\(path)/apps" }
    /// Programs may ship rules, but no settings.
    var mayHaveSettings: Bool { layer != .shipped }
  }

  package var all: [Directory]

  /// - Parameters: directories named "autorotate", with or without a last slash.
  package init(user: String?, administrator: [String], shipped: [String]) {
    let groups: [([String], ApplicationRule.Layer)] = [
      ([user].compactMap(\.self), .user), (administrator, .administrator), (shipped, .shipped),
    ]
    all = []
    for (paths, layer) in groups {
      for path in paths.map(\.withoutLastSlash) where !all.contains(where: { $0.path == path }) {
        all.append(Directory(path: path, layer: layer))
      }
    }
  }

  /// - Parameters:
  ///   - share: the program's own directory of data, which comes last if the environment does not name it.
  ///   - environment: looks a variable up.
  package init(
    share: String? = Environment.share, environment: (String) -> String? = Environment.variable
  ) {
    let directories = BaseDirectories(environment)
    func ours(_ directory: String) -> String { "\(directory)/autorotate" }
    var shipped = directories.data.map(ours)
    // Where /home is a link, a directory has two paths.
    if let own = share.flatMap({ SystemFile.realPath(ours($0)) }),
      !shipped.contains(where: { SystemFile.realPath($0) == own })
    {
      shipped.append(own)
    }
    self.init(
      user: directories.configHome.map(ours), administrator: directories.config.map(ours), shipped: shipped)
  }

  /// Checks the configuration as it would be with new contents of one of the user's files.
  /// - Returns: errors of `check` after the change that there are not now.
  func newErrors(path: String, kind: ConfigurationFile.Kind, bytes: [UInt8]) -> [Diagnostic] {
    let now = FileSearch(self).files
    let known = Set(Configuration.read(now).errors.map(\.withoutPlaces))
    let file = ConfigurationFile(path: path, kind: kind, layer: .user, content: .bytes(bytes))
    var files = now.filter { $0.path != path }
    let later = files.firstIndex { other in
      other.layer > .user || kind == .settings || other.kind == .rule && other.name > file.name
    }
    files.insert(file, at: later ?? files.count)
    return Configuration.read(files).errors.filter { !known.contains($0.withoutPlaces) }
  }
}

extension Diagnostic {
  /// The file and the message without numbers of lines, which another change may have moved.
  fileprivate var withoutPlaces: String {
    let parts = "\(path): \(message)".split(separator: ":", omittingEmptySubsequences: false)
    return parts.map { $0.drop(while: \.isNumber) }.joined(separator: ":")
  }
}
