// SPDX-License-Identifier: MIT

import Autorotation

extension ConfigurationDirectories {
  /// Checks the configuration as it would be after a change of one of the user's files.
  /// - Parameter bytes: the new contents; `nil` to remove the file.
  /// - Returns: errors of `check` after the change that there are not now.
  func newErrors(path: String, kind: ConfigurationFile.Kind, bytes: [UInt8]?) -> [Diagnostic] {
    let now = FileSearch(self).files
    let known = Set(Self.errors(now).map(\.description))
    return Self.errors(Self.changed(now, path, kind, bytes)).filter { !known.contains($0.description) }
  }

  private static func errors(_ files: [ConfigurationFile]) -> [Diagnostic] {
    Configuration.read(files).diagnostics.filter { $0.severity == .error }
  }

  private static func changed(
    _ now: [ConfigurationFile], _ path: String, _ kind: ConfigurationFile.Kind, _ bytes: [UInt8]?
  ) -> [ConfigurationFile] {
    var files = now.filter { $0.path != path }
    guard let bytes else { return files }
    let file = ConfigurationFile(path: path, kind: kind, layer: .user, content: .bytes(bytes))
    let later = files.firstIndex { other in
      other.layer > .user || kind == .settings || other.kind == .rule && other.name > file.name
    }
    files.insert(file, at: later ?? files.count)
    return files
  }
}
