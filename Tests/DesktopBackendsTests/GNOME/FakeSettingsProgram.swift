// SPDX-License-Identifier: MIT

import Glibc
import Temporary

extension TemporaryDirectory {
  /// A gsettings that knows one key, and keeps its value in the file `value`.
  /// - Parameters:
  ///   - key: its schema and name.
  ///   - set: what to do with a new value, `$4`; "DIR" stands for this directory.
  /// - Returns: its path.
  func writeSettingsProgram(of key: String, set: String) throws -> String {
    let script = """
      #!/bin/sh
      [ "$2 $3" = "\(key)" ] || exit 1
      case $1 in
        get) cat DIR/value ;;
        set) \(set) ;;
      esac
      """
    try write(script.replacing("DIR", with: path), to: "gsettings")
    chmod(self["gsettings"], 0o700)
    return self["gsettings"]
  }
}
