// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Checks which module may import which: only modules of lower layers, never of the same layer.
///
/// The compiler's own check of dependencies ignores system modules and standard ones (Glibc, Foundation), so each import
/// line is compared with this table.
struct FloorTests {
  static let allowedImports: [String: Set<String>] = [
    // Layer 3: the program
    "autorotate": [
      "Autorotation", "Language", "System", "SensorSources", "DesktopBackends", "Configuration",
      "ArgumentParser", "Glibc",
    ],
    // The settings window, a separate program
    "autorotate-settings": ["Autorotation", "Configuration", "Language", "System", "CAdwaita"],
    // Layer 2: sensors, desktops and files
    "SensorSources": [
      "Autorotation", "Language", "System", "CEvdev", "CLibIIO", "CSystemd", "Glibc", "Synchronization",
    ],
    "DesktopBackends": [
      "Autorotation", "Language", "System", "CDRM", "CLibWacom", "CWayland", "CWaylandProtocols",
      "CXCB", "Glibc",
    ],
    "Configuration": ["Autorotation", "Language", "System", "CToml", "Glibc"],
    // Between 1 and 2: messages in the user's language
    "Language": ["Autorotation", "System", "CIntl", "Glibc"],
    // Layer 1: the rotation logic, and access to the system: D-Bus, a loop, processes and files
    // Functions that the standard library lacks, such as atan2, by name.
    "Autorotation": ["func Glibc"],
    "System": ["CJson", "CSystemd", "CSystemdShims", "Glibc"],
  ]

  @Test func `modules import only lower layers`() throws {
    for file in try SourceFile.all() {
      let allowed = try #require(
        Self.allowedImports[file.target], "\(file.target) is not in the table of allowed imports")
      for (line, module) in file.imports where !allowed.contains(module) {
        // A module that may be imported may be imported in part.
        if module.hasPrefix("func "), allowed.contains(String(module.dropFirst(5))) { continue }
        Issue.record("\(file.path):\(line): \(file.target) may not import \(module)")
      }
    }
  }

  @Test func `every module has files`() throws {
    let targets = Set(try SourceFile.all().map(\.target))
    for target in Self.allowedImports.keys {
      #expect(targets.contains(target), "\(target) has no source file")
    }
  }

  /// There is one thread and one loop. The first task or dispatch queue would start a worker that keeps waking up.
  @Test func `nothing uses swift concurrency or dispatch`() throws {
    let banned: Set = [
      "async", "await", "Task", "TaskGroup", "AsyncStream", "DispatchQueue", "DispatchSource",
    ]
    for file in try SourceFile.all() {
      for (line, word) in file.words where banned.contains(word) {
        Issue.record("\(file.path):\(line): '\(word)' starts a second thread")
      }
    }
  }

  /// Calls that need care are in one file: the buffer of `readdir` may be shorter than its type, drafts must not be written
  /// through links, and names from other programs are cleaned by one rule.
  @Test(arguments: [
    ("readdir", "SystemFile.swift"), ("opendir", "SystemFile.swift"), ("rename", "SystemFile.swift"),
    ("inotify_init1", "DirectoryChanges.swift"), ("isBidiControl", "ReadableText.swift"),
  ])
  func `a risky call is in one file`(_ word: String, _ place: String) throws {
    for file in try SourceFile.all() where !file.path.hasSuffix("/\(place)") {
      for (line, found) in file.words where found == word {
        Issue.record("\(file.path):\(line): \(word) is for \(place) alone")
      }
    }
  }

  @Test func `every file names its licence`() throws {
    for file in try SourceFile.all() {
      #expect(file.text.hasPrefix("// SPDX-License-Identifier: MIT\n"), "\(file.path)")
    }
  }

  @Test func `imports are read in every form`() {
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

  @Test func `only words outside comments and strings are read`() {
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
