// SPDX-License-Identifier: MIT

import Glibc
import Temporary
import Testing

@testable import DesktopBackends

/// The names of installed applications that rules may use.
@MainActor
struct InstalledApplicationsTests {
  private let directory: TemporaryDirectory
  private let applications: InstalledApplications

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("#!/bin/sh\n", to: "bin/player")
    try #require(chmod(directory["bin/player"], 0o700) == 0)
    try directory.write("#!/bin/sh\n", to: "bin/text")
    try #require(chmod(directory["bin/text"], 0o600) == 0)
    let entry = "[Desktop Entry]\nStartupWMClass=Reader-2\nExec=/opt/reader/reader-bin %U\n"
    try directory.write(entry, to: "share/applications/sub/org.example.Reader.desktop")
    try directory.write("[Desktop Entry]\n", to: "share/applications/Other.desktop")
    let variables = [
      "PATH": directory["bin"], "XDG_DATA_HOME": directory["share"], "XDG_DATA_DIRS": "/nowhere",
    ]
    applications = InstalledApplications { variables[$0] }
  }

  @Test(arguments: ["player", "Player", "PLAYER"])
  func `a program is found in any case`(name: String) {
    #expect(applications.contain(name))
  }

  @Test(arguments: ["text", "unknown", "", "bin/player", "/bin/sh"])
  func `other names are no applications`(name: String) {
    #expect(!applications.contain(name))
  }

  @Test(arguments: [
    "sub-org.example.Reader", "Reader", "Reader-2", "reader-bin", "reader-b*", "SUB-ORG.*", "Other", "o?her",
  ])
  func `a desktop file declares several names`(name: String) {
    #expect(applications.contain(name))
  }

  @Test(arguments: ["org.example.Reader", "Reader-3", "reader-bi", "/opt/reader/reader-bin", "example"])
  func `a part of a name is no name`(name: String) {
    #expect(!applications.contain(name))
  }
}
