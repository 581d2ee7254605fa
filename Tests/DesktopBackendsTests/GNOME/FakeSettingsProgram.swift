// SPDX-License-Identifier: MIT

import Glibc
import Temporary

extension TemporaryDirectory {
  /// Writes a gsettings that has one key, and stores its value in the file `value`.
  /// - Parameters:
  ///   - key: its schema and name.
  ///   - set: the shell command that sets a new value, `$4`; "DIR" stands for this directory.
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
