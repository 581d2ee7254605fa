// SPDX-License-Identifier: MIT

import Autorotation

/// What people are told of a compositor: its name, and how they can help themselves.
nonisolated struct CompositorWords: Sendable {
  /// For a person: "sway".
  var name: String
  /// What its process may be called, in small letters.
  var programs: [String]
  /// The environment variable by which it is found, and the beginning of what lies for it in XDG_RUNTIME_DIR.
  var variable: String
  var socketPrefix: String
  /// Commands that show its version, show its outputs, and let it read its configuration again.
  var version: String
  var listing: String
  var reload: String
  /// How to switch an output on: "with `…`".
  var switchingOn: @Sendable (_ output: String) -> Phrase
  /// What to look at when an output was not turned.
  var nextStep: @Sendable (_ output: String) -> Phrase
  /// What a name must not have to be said to it.
  var cannotSay: @Sendable (Character) -> Bool = { _ in false }
}
