// SPDX-License-Identifier: MIT

import Autorotation

/// The mount matrix of a sensor, out of the places that may hold one.
nonisolated struct MountMatrixChoice: Equatable, Sendable {
  /// A place, and its text.
  struct Candidate: Equatable, Sendable {
    let source: Phrase
    let text: String
  }

  let matrix: MountMatrix
  /// Where it comes from, for the person.
  let source: Phrase
  /// Of each text that could not be used.
  let problems: [Message]

  /// The first that can be used; what all of them mean is what udev's hwdb(7) says.
  /// - Parameter candidates: in the order of their worth.
  static func choose(override: MountMatrix?, from candidates: [Candidate]) -> Self {
    let settings: Phrase = "the settings"
    if let override { return Self(matrix: override, source: settings, problems: []) }
    var problems: [Message] = []
    for candidate in candidates {
      if let matrix = MountMatrix(text: candidate.text) {
        return Self(matrix: matrix, source: candidate.source, problems: problems)
      }
      problems.append(problem(candidate))
    }
    let none: Phrase = "no matrix given"
    return Self(matrix: .identity, source: none, problems: problems)
  }

  private static func problem(_ candidate: Candidate) -> Message {
    Message(
      .sensorMountMatrix,
      "the mount matrix in \(candidate.source), \"\(candidate.text)\", cannot be used: it is not three rows "
        + "of three numbers, or it loses a direction",
      next: "the next source is used; set mount-matrix in the settings, as in \"1, 0, 0; 0, -1, 0; 0, 0, 1\"")
  }
}
