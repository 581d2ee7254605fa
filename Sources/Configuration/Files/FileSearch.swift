// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import Language
import System

extension Configuration {
  /// Reads all files, and adds diagnostics for files next to them that are not read.
  package static func read(from directories: ConfigurationDirectories, on aspect: PanelAspect? = nil) -> Self
  {
    var configuration = read(FileSearch(directories).files, on: aspect)
    configuration.diagnostics += directories.all.flatMap { StrayFiles($0).diagnostics }
    return configuration
  }
}

/// Finds and reads all files of settings.
struct FileSearch {
  /// Highest precedence first; those of one directory by name.
  private(set) var files: [ConfigurationFile] = []

  init(_ directories: ConfigurationDirectories) {
    for directory in directories.all {
      if directory.mayHaveSettings { add(directory.settings, .settings, directory) }
      for name in Self.names(in: directory.rules) { add("\(directory.rules)/\(name)", .rule, directory) }
    }
  }

  private mutating func add(
    _ path: String, _ kind: ConfigurationFile.Kind, _ directory: ConfigurationDirectories.Directory
  ) {
    guard let content = Self.content(of: path) else { return }
    files.append(ConfigurationFile(path: path, kind: kind, layer: directory.layer, content: content))
  }

  /// Whether a file name in `apps` is that of a rule; editors may leave other files there.
  static func isRule(_ name: String) -> Bool { name.hasSuffix(".toml") && !name.hasPrefix(".") }

  private static func names(in directory: String) -> [String] {
    SystemFile.names(in: directory).filter(isRule).sorted()
  }

  /// - Returns: `nil` if there is no such file.
  static func content(of path: String) -> ConfigurationFile.Content? {
    // Non-blocking, since opening a pipe could block for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? nil : .unreadable(reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    // A link to /dev/null is read as an empty file: a common way to disable something.
    guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFCHR].contains(status.st_mode & S_IFMT) else {
      return .unreadable(reason: localized("it is not a file"))
    }
    return bytes(from: descriptor)
  }

  private static func bytes(from descriptor: Int32) -> ConfigurationFile.Content {
    let capacity = ParsedFile.maximumBytes + 1
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      var filled = 0
      while filled < capacity {
        let count = read(descriptor, buffer.baseAddress.map { $0 + filled }, capacity - filled)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return .unreadable(reason: String(cString: strerror(errno))) }
        guard count > 0 else { break }
        filled += count
      }
      // Copied to the exact size: an array with room for the largest file would keep whole pages.
      return .bytes(Array(buffer[..<filled]))
    }
  }
}
