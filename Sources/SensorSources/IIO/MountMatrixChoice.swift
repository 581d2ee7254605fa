// SPDX-License-Identifier: MIT

package import Autorotation

/// The mount matrix of a sensor, chosen from the sources that may have one.
nonisolated package struct MountMatrixChoice: Equatable, Sendable {
  /// The source of a matrix, on which the frame that it maps to depends: see `HingeFrame`.
  enum Origin: Sendable {
    case settings, udev, kernel, none
  }

  /// A source and its text.
  struct Candidate: Equatable, Sendable {
    let source: Phrase
    let text: String
    var origin = Origin.kernel
  }

  package let matrix: MountMatrix
  var origin = Origin.none
  /// Whether any source gives a matrix that can be used.
  package var isGiven: Bool { origin != .none }
  /// Shown to the user.
  package let source: Phrase
  /// One for each text that could not be used.
  package internal(set) var problems: [Message]

  /// Chooses the first that can be used. All have the meaning of udev's hwdb(7).
  /// - Parameter candidates: highest precedence first.
  static func choose(override: MountMatrix?, from candidates: [Candidate]) -> Self {
    let settings: Phrase = "the settings"
    if let override { return Self(matrix: override, origin: .settings, source: settings, problems: []) }
    var problems: [Message] = []
    for candidate in candidates {
      let exact = MountMatrix(text: candidate.text)
      if let matrix = exact ?? MountMatrix(replacingLastRowOf: candidate.text) {
        if exact == nil { problems.append(lastRowProblem(candidate)) }
        return Self(matrix: matrix, origin: candidate.origin, source: candidate.source, problems: problems)
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
      next: "that is enough for rotation; run `autorotate calibrate` to find a matrix with three correct rows"
    )
  }

  private static func problem(_ candidate: Candidate) -> Message {
    Message(
      .sensorMountMatrix,
      "the mount matrix in \(candidate.source), \"\(candidate.text)\", cannot be used: it is not "
        + "three rows of three numbers, or its rows are not independent",
      next: "the next source is used; set mount-matrix in the settings, as in \"1, 0, 0; 0, -1, 0; 0, 0, 1\"")
  }
}
