// SPDX-License-Identifier: MIT

import Autorotation

/// When hooks run, by the directory that they lie in.
enum HookKind: String, CaseIterable {
  /// Before the picture turns, which waits for them for two seconds.
  case will = "will-rotate.d"
  /// After the picture has turned.
  case did = "did-rotate.d"
  /// After the posture has changed.
  case posture = "posture.d"
}

/// A program of the person's, or the administrator's, that runs at each turn or change of posture.
struct Hook: Equatable {
  var kind: HookKind
  var name: String
  var path: String

  /// For the log: "did-rotate.d/10-recorder".
  var title: String { "\(kind.rawValue)/\(name.printable())" }
}

/// What a hook is told, in its environment.
struct HookOccasion: Equatable {
  /// The turn; `nil` for a change of posture.
  var rotation: Rotation?
  var posture = Posture.unknown
  /// Of a change of posture.
  var previousPosture: Posture?
  /// The application in focus, by its first name; "" if there is none.
  var application: String

  var variables: [(name: String, value: String)] {
    let turn = rotation.map { rotation in
      [
        ("ORIENTATION", rotation.to.word), ("PREVIOUS_ORIENTATION", rotation.from.word),
        ("OUTPUT", rotation.output),
        ("OUTPUTS", ([rotation.output] + rotation.others).joined(separator: " ")),
        ("WIDTH", "\(rotation.width)"), ("HEIGHT", "\(rotation.height)"),
      ]
    }
    let before = previousPosture.map { [("AUTOROTATE_PREVIOUS_POSTURE", $0.rawValue)] }
    return (turn ?? []) + [("AUTOROTATE_POSTURE", posture.rawValue)] + (before ?? []) + [("APP", application)]
  }

  /// The same turn or change, for hooks that were not told of an earlier one.
  func following(_ unheard: HookOccasion?) -> HookOccasion {
    var whole = self
    guard let unheard else { return whole }
    if let from = unheard.rotation?.from { whole.rotation?.from = from }
    if previousPosture != nil { whole.previousPosture = unheard.previousPosture }
    return whole
  }
}
