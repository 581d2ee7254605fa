// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Who may import whom: the house, as its floors. Arrows go down, and neighbours never import each other.
///
/// The compiler's own check of dependencies misses system modules and the standard ones (Glibc, Foundation), so
/// every import line is read against this table.
struct FloorTests {
  static let house: [String: Set<String>] = [
    // Floor 3: the program
    "autorotate": [
      "Autorotation", "Language", "System", "SensorSources", "DesktopBackends", "Configuration",
      "ArgumentParser", "Glibc",
    ],
    // Next door: the window, a program of its own
    "autorotate-settings": ["Autorotation", "Configuration", "Language", "System", "CAdwaita"],
    // Floor 2: the machine
    "SensorSources": [
      "Autorotation", "Language", "System", "CEvdev", "CLibIIO", "CSystemd", "Glibc", "Synchronization",
    ],
    "DesktopBackends": [
      "Autorotation", "Language", "System", "CDRM", "CLibWacom", "CWayland", "CWaylandProtocols",
      "CXCB", "Glibc",
    ],
    "Configuration": ["Autorotation", "Language", "System", "CToml", "Glibc"],
    // Floor 1½: what the idea has to say, in the person's language
    "Language": ["Autorotation", "System", "CIntl", "Glibc"],
    // Floor 1: the idea, and what the system offers: D-Bus, a loop, processes and files
    // Arithmetic that the standard library lacks, such as atan2, by name.
    "Autorotation": ["func Glibc"],
    "System": ["CJson", "CSystemd", "CSystemdShims", "Glibc"],
  ]

  @Test func everyImportLeadsDown() throws {
    for file in try SourceFile.all() {
      let allowed = try #require(
        Self.house[file.target], "\(file.target) is not in the house: add it to the table")
      for (line, module) in file.imports where !allowed.contains(module) {
        // Who may import a module may import a function of it.
        if module.hasPrefix("func "), allowed.contains(String(module.dropFirst(5))) { continue }
        Issue.record("\(file.path):\(line): \(file.target) may not import \(module)")
      }
    }
  }

  @Test func everyRoomHasFiles() throws {
    let targets = Set(try SourceFile.all().map(\.target))
    for target in Self.house.keys { #expect(targets.contains(target), "\(target) has no source file") }
  }

  /// One thread and one loop. The first task or dispatch queue starts a worker that wakes up for ever.
  @Test func nothingIsAsynchronous() throws {
    let banned: Set = [
      "async", "await", "Task", "TaskGroup", "AsyncStream", "DispatchQueue", "DispatchSource",
    ]
    for file in try SourceFile.all() {
      for (line, word) in file.words where banned.contains(word) {
        Issue.record("\(file.path):\(line): '\(word)' starts a second thread")
      }
    }
  }

  /// What has to be done with care is done in one place: `readdir`'s buffer ends where its name does, and its entry is
  /// larger; drafts of files are not written where a link waits; and what others call themselves is cleaned by one
  /// rule.
  @Test(arguments: [
    ("readdir", "SystemFile.swift"), ("opendir", "SystemFile.swift"), ("rename", "SystemFile.swift"),
    ("inotify_init1", "DirectoryChanges.swift"), ("isBidiControl", "ReadableText.swift"),
  ])
  func isDoneInOnePlace(_ word: String, _ place: String) throws {
    for file in try SourceFile.all() where !file.path.hasSuffix("/\(place)") {
      for (line, found) in file.words where found == word {
        Issue.record("\(file.path):\(line): \(word) is for \(place) alone")
      }
    }
  }

  @Test func everyFileNamesItsLicence() throws {
    for file in try SourceFile.all() {
      #expect(file.text.hasPrefix("// SPDX-License-Identifier: MIT\n"), "\(file.path)")
    }
  }

  @Test func readsImportsInEveryForm() {
    let text = """
      import A
      package import B
      @preconcurrency private import C
      import func D.e
      import struct F.G.H
        internal import I // why
      // import J
      /* import K
      import L */
      let text = "import M"
      """
    let file = SourceFile(path: "x", target: "x", text: text)
    #expect(file.imports.map(\.module) == ["A", "B", "C", "func D", "F", "I"])
  }

  @Test func readsWordsOutsideCommentsAndStrings() {
    let text = """
      let a = "Task" // async
      /* await */ func b() async {}
      let asyncTask = #"await"#
      """
    let file = SourceFile(path: "x", target: "x", text: text)
    #expect(file.words.map(\.word).contains("async"))
    #expect(file.words.filter { ["Task", "await", "async"].contains($0.word) }.count == 1)
  }
}
