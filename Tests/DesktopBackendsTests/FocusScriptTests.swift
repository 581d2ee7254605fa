// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Temporary
import Testing

@testable import DesktopBackends

/// The scripts that run in KWin and in GNOME Shell, in another JavaScript engine. The bus would reject a text with
/// characters that are none, and the focus would never be reported again.
@Suite(.enabled(if: access("/usr/bin/node", X_OK) == 0, "node is not installed"))
@MainActor struct FocusScriptTests {
  private static let hostile =
    #""a\uFFFEb\uFDD0c\uD800d\uDC00e\u{1FFFF}f\u{1F600}g\uFFFD\u{10FFFE}" + "x".repeat(300)"#
  private static let repaired =
    "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{1F600}g\u{FFFD}\u{FFFD}"
    + String(repeating: "x", count: 238)

  private func output(of program: String) throws -> String {
    let directory = try TemporaryDirectory()
    try directory.write(program, to: "program.js")
    let node = Process()
    node.executableURL = URL(fileURLWithPath: "/usr/bin/node")
    node.arguments = [directory["program.js"]]
    let pipe = Pipe()
    node.standardOutput = pipe
    try node.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    node.waitUntilExit()
    #expect(node.terminationStatus == 0)
    return text
  }

  @Test func `KWin's script reports only what the bus accepts`() throws {
    let prelude = """
      const signal = { connect: () => {}, disconnect: () => {} };
      const hostile = \(Self.hostile);
      const workspace = {
        windowActivated: signal, windowRemoved: signal, virtualScreenGeometryChanged: signal,
        activeWindow: { internalId: "1", resourceClass: hostile, desktopFileName: null, caption: hostile }
      };
      const callDBus = (...words) => {
        if (words.some(word => !word.isWellFormed())) throw new Error("lone surrogates");
        console.log([words[6], words[8], words[12]].join("\\n"));
      };

      """
    let script = KWinScript.text(calling: ":1.1", withTitles: true)
    #expect(try output(of: prelude + script) == "\(Self.repaired)\n\n\(Self.repaired)\n")
  }

  @Test func `GNOME's extension reports only what the bus accepts`() throws {
    let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized.path
    let script = try String(
      contentsOfFile: "\(root)/packaging/gnome-shell/autorotate@autorotate.org/focus.js", encoding: .utf8)
    let lines = script.split(separator: "\n").filter { !$0.hasPrefix("import ") }
    let program = """
      const Meta = { WindowType: {} };
      const Shell = { WindowTracker: { get_default: () => ({ get_window_app: () => null }) } };
      \(lines.joined(separator: "\n").replacing("export class", with: "class"))
      const names = ["get_wm_class", "get_wm_class_instance", "get_gtk_application_id", "get_sandboxed_app_id"];
      const window = Object.fromEntries(names.map(name => [name, () => null]));
      console.log(identifiersOf({ ...window, get_wm_class: () => \(Self.hostile) })[0]);

      """
    #expect(try output(of: program) == "\(Self.repaired)\n")
  }
}
