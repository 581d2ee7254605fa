// SPDX-License-Identifier: MIT

import Autorotation

/// What all files of settings would say if one of the person's own said something else.
package struct Preview {
  private let now: [ConfigurationFile]

  package init(_ directories: ConfigurationDirectories) {
    now = FileSearch(directories).files
  }

  /// - Parameter bytes: what the file is to say; `nil` if it is to go.
  /// - Returns: what `check` would find wrong then, and does not find wrong now.
  package func newErrors(
    path: String, kind: ConfigurationFile.Kind, bytes: [UInt8]?
  ) -> [Diagnostic] {
    let known = Set(errors(now).map(\.description))
    return errors(changed(path, kind, bytes)).filter { !known.contains($0.description) }
  }

  private func errors(_ files: [ConfigurationFile]) -> [Diagnostic] {
    Configuration.read(files).diagnostics.filter { $0.severity == .error }
  }

  private func changed(
    _ path: String, _ kind: ConfigurationFile.Kind, _ bytes: [UInt8]?
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
