// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Every file in Scenarios is a test; docs/scenarios.md describes the format.
struct ScenarioTests {
  struct File: CustomTestStringConvertible, Sendable {
    var path: String

    var name: String { URL(filePath: path).lastPathComponent }
    var testDescription: String { name }
  }

  static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scenarios")

  static let files: [File] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path())) ?? []
    return names.filter { $0.hasSuffix(".scenario") }.sorted().map {
      File(path: directory.appending(path: $0).path())
    }
  }()

  @Test(arguments: files)
  func `the scenario has the expected results`(_ file: File) throws {
    let text = try String(contentsOfFile: file.path, encoding: .utf8)
    do {
      let scenario = try Scenario.read(text)
      for failure in ScenarioComparison(ScenarioRun(scenario), of: scenario).failures {
        Issue.record("Scenarios/\(file.name):\(failure.description)")
      }
    } catch let mistake as ScenarioMistake {
      Issue.record("Scenarios/\(file.name):\(mistake.description)")
    }
  }

  @Test func `there are many scenarios`() {
    #expect(Self.files.count >= 75)
  }
}
