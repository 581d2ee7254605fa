// SPDX-License-Identifier: MIT

import Autorotation

/// When hooks run, by their directory.
enum HookKind: String, CaseIterable {
  /// Before a rotation, which waits two seconds for them.
  case will = "will-rotate.d"
  /// After a rotation.
  case did = "did-rotate.d"
  /// After a change of posture.
  case posture = "posture.d"
}

/// A program of the user or the administrator that runs at each rotation or change of posture.
struct Hook: Equatable {
  var kind: HookKind
  var name: String
  var path: String

  /// For the log: "did-rotate.d/10-recorder".
  var title: String { "\(kind.rawValue)/\(name.printable())" }
}

/// What a hook's environment describes.
struct HookContext: Equatable {
  /// The rotation; `nil` for a change of posture.
  var rotation: Rotation?
  var posture = Posture.unknown
  /// The posture before a change of posture.
  var previousPosture: Posture?
  /// The application in focus, by its first name; "" if there is none.
  var application: String

  var variables: [(name: String, value: String)] {
    let orientations = rotation.map { rotation in
      [
        ("ORIENTATION", rotation.to.word), ("PREVIOUS_ORIENTATION", rotation.from.word),
        ("OUTPUT", rotation.output),
        ("OUTPUTS", ([rotation.output] + rotation.others).joined(separator: " ")),
        ("WIDTH", "\(rotation.width)"), ("HEIGHT", "\(rotation.height)"),
      ]
    }
    let before = previousPosture.map { [("AUTOROTATE_PREVIOUS_POSTURE", $0.rawValue)] }
    return (orientations ?? []) + [("AUTOROTATE_POSTURE", posture.rawValue)] + (before ?? []) + [
      ("APP", application)
    ]
  }

  /// The same rotation or change, for hooks that did not run at an earlier one.
  func following(_ skipped: HookContext?) -> HookContext {
    var whole = self
    guard let skipped else { return whole }
    if let from = skipped.rotation?.from { whole.rotation?.from = from }
    if previousPosture != nil { whole.previousPosture = skipped.previousPosture }
    return whole
  }
}
