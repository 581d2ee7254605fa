// SPDX-License-Identifier: MIT

import Autorotation

/// When hooks run, by the directory that they lie in.
enum HookKind: String, CaseIterable {
  /// Before the picture turns, which waits for them for two seconds.
  case will = "will-rotate.d"
  /// After the picture has turned.
  case did = "did-rotate.d"
}

/// A program of the person's, or the administrator's, that runs at each turn.
struct Hook: Equatable {
  var kind: HookKind
  var name: String
  var path: String

  /// For the log: "did-rotate.d/10-recorder".
  var title: String { "\(kind.rawValue)/\(name.printable())" }
}

/// What a hook is told, in its environment.
struct HookOccasion: Equatable {
  var rotation: Rotation
  /// The application in focus, by its first name; "" if there is none.
  var application: String

  var variables: [(name: String, value: String)] {
    [
      ("ORIENTATION", rotation.to.word), ("PREVIOUS_ORIENTATION", rotation.from.word),
      ("OUTPUT", rotation.output), ("WIDTH", "\(rotation.width)"), ("HEIGHT", "\(rotation.height)"),
      ("APP", application),
    ]
  }

  /// The same turn, for hooks that were not told of an earlier one.
  func following(_ unheard: HookOccasion?) -> HookOccasion {
    var whole = self
    if let unheard { whole.rotation.from = unheard.rotation.from }
    return whole
  }
}
