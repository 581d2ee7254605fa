// SPDX-License-Identifier: MIT

import System
import Temporary
import Testing

/// Files with one line per name, of this version and of earlier ones.
struct StateTableTests {
  private let directory: TemporaryDirectory
  private var file: StateFile { StateFile(path: directory["table"]) }
  private var table: StateTable<String> {
    StateTable(file, value: { ["enabled", "off"].contains($0) ? $0 : nil }, word: \.self)
  }

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `values persist across a restart`() throws {
    var first = table
    try first.keep("enabled", for: "1:1:AT Translated  Set 2 keyboard")
    try first.keep("off", for: "b")
    #expect(file.read() == "1:1:AT Translated  Set 2 keyboard enabled\nb off\n")
    #expect(table.values == ["1:1:AT Translated  Set 2 keyboard": "enabled", "b": "off"])
  }

  @Test func `without values there is no file`() throws {
    var table = table
    try table.keep("off", for: "a")
    table.forget("b")
    #expect(file.exists)
    table.forget("a")
    #expect(!file.exists)
    try table.keep(["a": "off"])
    try table.keep([:])
    #expect(!file.exists)
  }

  @Test func `invalid lines are skipped`() throws {
    let lines = ["a sideways", "enabled", "", "x", " off", "off ", "\"q\" off", "\u{1B}[31m off", "b\\ off"]
    try directory.write(lines.map { $0 + "\n" }.joined() + "c off\nc enabled\n", to: "table")
    #expect(table.values == ["c": "enabled"])
  }

  /// As 0.1.0 and 1.0.0-rc1 wrote `sway-input`, `hyprland-input`, `kwin-input` and `gnome-touchpad`.
  @Test func `files of earlier versions are read`() throws {
    try directory.write("enabled 1:1:AT Translated  Set 2 keyboard\noff touchpad\n", to: "table")
    #expect(table.values == ["1:1:AT Translated  Set 2 keyboard": "enabled", "touchpad": "off"])
  }

  @Test func `a value that cannot be saved is kept in memory`() {
    var nowhere = StateTable(StateFile(path: nil), value: { $0 }, word: \.self)
    #expect(throws: SystemError.self) { try nowhere.keep("off", for: "a") }
    #expect(nowhere["a"] == "off")
  }
}
