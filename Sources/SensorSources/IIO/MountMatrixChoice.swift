// SPDX-License-Identifier: MIT

import Autorotation

/// The mount matrix of a sensor, out of the places that may hold one.
nonisolated struct MountMatrixChoice: Equatable, Sendable {
  /// Who gave a matrix, which says what frame it maps to: see `HingeFrame`.
  enum Origin: Sendable {
    case settings, udev, kernel, none
  }

  /// A place, and its text.
  struct Candidate: Equatable, Sendable {
    let source: Phrase
    let text: String
    var origin = Origin.kernel
  }

  let matrix: MountMatrix
  var origin = Origin.none
  /// Where it comes from, for the person.
  let source: Phrase
  /// Of each text that could not be used.
  let problems: [Message]

  /// The first that can be used; what all of them mean is what udev's hwdb(7) says.
  /// - Parameter candidates: in the order of their worth.
  static func choose(override: MountMatrix?, from candidates: [Candidate]) -> Self {
    let settings: Phrase = "the settings"
    if let override { return Self(matrix: override, origin: .settings, source: settings, problems: []) }
    var problems: [Message] = []
    for candidate in candidates {
      let exact = MountMatrix(text: candidate.text)
      if let matrix = exact ?? MountMatrix(replacingLastRowOf: candidate.text) {
        if exact == nil { problems.append(lastRowProblem(candidate)) }
        return Self(
          matrix: matrix, origin: candidate.origin, source: candidate.source, problems: problems)
      }
      problems.append(problem(candidate))
    }
    let none: Phrase = "no matrix given"
    return Self(matrix: .identity, source: none, problems: problems)
  }

  private static func lastRowProblem(_ candidate: Candidate) -> Message {
    Message(
      .sensorMountMatrix,
      "the last row of the mount matrix in \(candidate.source), \"\(candidate.text)\", cannot be used: only its "
        + "first two rows are",
      next:
        "the screen orientation needs no more; `autorotate calibrate` finds a matrix that is right in all three"
    )
  }

  private static func problem(_ candidate: Candidate) -> Message {
    Message(
      .sensorMountMatrix,
      "the mount matrix in \(candidate.source), \"\(candidate.text)\", cannot be used: it is not three rows "
        + "of three numbers, or it loses a direction",
      next: "the next source is used; set mount-matrix in the settings, as in \"1, 0, 0; 0, -1, 0; 0, 0, 1\"")
  }
}
