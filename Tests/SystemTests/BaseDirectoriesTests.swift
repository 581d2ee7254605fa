// SPDX-License-Identifier: MIT

import System
import Testing

struct BaseDirectoriesTests {
  /// The directories of the user were split at colons, like lists.
  @Test func `a directory of the user may contain a colon`() {
    let own = BaseDirectories { ["XDG_CONFIG_HOME": "/a:b", "XDG_DATA_HOME": "/c:d"][$0] }
    #expect(own.configHome == "/a:b" && own.config.first == "/a:b" && own.data.first == "/c:d")
    let home = BaseDirectories { $0 == "HOME" ? "/home/a:b" : nil }
    #expect(home.configHome == "/home/a:b/.config" && home.data.first == "/home/a:b/.local/share")
  }

  /// The settings of the user were lost.
  @Test func `a relative directory is ignored as if it was not set`() {
    let directories = BaseDirectories { $0 == "HOME" ? "/home/a" : $0.hasSuffix("_HOME") ? "relative" : nil }
    #expect(directories.configHome == "/home/a/.config" && directories.data.first == "/home/a/.local/share")
    #expect(directories.state == "/home/a/.local/state")
  }

  @Test func `the root directory keeps its slash`() {
    let directories = BaseDirectories {
      ["XDG_CONFIG_HOME": "/", "XDG_STATE_HOME": "//", "XDG_RUNTIME_DIR": "/run/"][$0]
    }
    #expect(directories.configHome == "/")
    #expect(directories.state == "/")
    #expect(directories.runtime == "/run")
  }

  @Test func `a directory listed twice is used once`() {
    let directories = BaseDirectories { ["XDG_CONFIG_HOME": "/a", "XDG_CONFIG_DIRS": "/b:/a/:/b"][$0] }
    #expect(directories.config == ["/a", "/b"])
  }
}
