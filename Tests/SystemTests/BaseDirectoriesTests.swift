// SPDX-License-Identifier: MIT

import System
import Testing

struct BaseDirectoriesTests {
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
