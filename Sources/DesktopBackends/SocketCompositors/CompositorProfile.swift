// SPDX-License-Identifier: MIT

import Autorotation

/// How a compositor is named and found, and the commands that messages recommend.
nonisolated struct CompositorProfile: Sendable {
  /// As messages name it: "sway".
  var name: String
  /// Possible names of its process, in lower case.
  var programs: [String]
  /// The environment variable that leads to its socket, and the prefix of its files in XDG_RUNTIME_DIR.
  var variable: String
  var socketPrefix: String
  /// Commands that show its version, list its outputs, and reload its configuration.
  var version: String
  var listing: String
  var reload: String
  /// How to switch an output on: "with `…`".
  var switchingOn: @Sendable (_ output: String) -> Phrase
  /// The next step when an output was not rotated.
  var nextStep: @Sendable (_ output: String) -> Phrase
  /// Characters that would end or split a request, and so are not allowed in a name.
  var isForbiddenInName: @Sendable (Character) -> Bool = { _ in false }
}
