// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import Configuration

/// The table of keys. Other requirements of a key are in `LayerTests` (it changes a setting), `ShippedFilesTests`
/// (config.toml has it, with its default) and `test_man.py` (the manual has it).
struct KeyTests {
  @Test func `every setting has its own key`() {
    #expect(Set(Configuration.keys.map { $0.path as AnyKeyPath }).count == Configuration.keys.count)
    let others: Set = ["watchesPosture", "watchesShape", "rules", "faults", "accelerometer", "readsBase"]
    let settings = names(in: Settings()).union(names(in: MachineSettings()))
      .union(names(in: AccelerometerSettings())).subtracting(others)
    // `locks` has one for each known posture.
    let locks = Posture.allCases.count - 1
    #expect(settings.count - 1 + locks == Configuration.keys.count)
  }

  @Test func `every property of a rule has its own key`() {
    #expect(Set(ApplicationRule.keys.map { $0.path as AnyKeyPath }).count == ApplicationRule.keys.count)
    let rule = ApplicationRule(source: "", matches: [])
    #expect(names(in: rule).subtracting(["source", "layer"]).count == ApplicationRule.keys.count)
  }

  @Test(arguments: Configuration.keys)
  func `the example of a key is valid`(of key: Key<Configuration>) throws {
    let text = "[\(key.section)]\n\(key.example)\n"
    let read = Configuration.read([
      ConfigurationFile(path: "config.toml", kind: .settings, layer: .user, text: text)
    ])
    #expect(read.diagnostics.map(\.description) == [])
    #expect(!key.text(read).isEmpty)
  }

  private func names(in value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }
}
