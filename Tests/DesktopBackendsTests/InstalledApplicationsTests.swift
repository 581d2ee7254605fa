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
    applications = InstalledApplications(Self.variable(in: directory))
  }

  private func variable(_ name: String) -> String? { Self.variable(in: directory)(name) }

  private static func variable(in directory: TemporaryDirectory) -> (String) -> String? {
    let variables = [
      "PATH": directory["bin"], "XDG_DATA_HOME": directory["share"], "XDG_DATA_DIRS": "/nowhere",
    ]
    return { variables[$0] }
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

  @Test func `a program is known by the application that it starts`() throws {
    #expect(applications.application(startedBy: "Reader-Bin") == "sub-org.example.Reader")
    for name in ["reader", "player", "reader-b*"] {
      #expect(applications.application(startedBy: name) == nil)
    }
  }

  @Test func `a program of several applications is known by none`() throws {
    try directory.write("[Desktop Entry]\nExec=reader-bin\n", to: "share/applications/Third.desktop")
    #expect(InstalledApplications(variable).application(startedBy: "reader-bin") == nil)
  }

  /// Flatpak exports links, and Snap names the desktop file after the package and the program.
  @Test func `applications of Flatpak and Snap are found`() throws {
    let flatpak = "[Desktop Entry]\nExec=/usr/bin/flatpak run org.x.Draw\n"
    try directory.write(flatpak, to: "app/org.x.Draw.desktop")
    let link = directory["share/applications/org.x.Draw.desktop"]
    try #require(symlink("../../app/org.x.Draw.desktop", link) == 0)
    let snap = "[Desktop Entry]\nExec=env HINT=1 /snap/bin/paint %U\nStartupWMClass=Paint\n"
    try directory.write(snap, to: "share/applications/paint_paint.desktop")
    let applications = InstalledApplications(variable)
    for name in ["org.x.Draw", "draw", "paint_paint", "paint"] { #expect(applications.contain(name)) }
  }

  @Test(arguments: ["org.example.Reader", "Reader-3", "reader-bi", "/opt/reader/reader-bin", "example"])
  func `a part of a name is no name`(name: String) {
    #expect(!applications.contain(name))
  }
}
