// SPDX-License-Identifier: MIT

/// What the doctor says of one link of the chain from the accelerometer to the picture.
struct Finding: Equatable {
  enum State: String {
    case works
    /// Without it nothing turns, or not as it should.
    case broken
    /// Not there, and not needed as things are.
    case notApplicable = "not-applicable"
  }

  var name: String
  var state: State
  var detail: String
  /// What the person can do.
  var nextStep: String?

  static func works(_ name: String, _ detail: String, next: String? = nil) -> Self {
    Self(name: name, state: .works, detail: detail, nextStep: next)
  }

  static func broken(_ name: String, _ detail: String, next: String) -> Self {
    Self(name: name, state: .broken, detail: detail, nextStep: next)
  }

  /// For what does not work, in a sentence that says so and then what to do.
  static func broken(_ name: String, sentence: String, next: String) -> Self {
    let (detail, step) = sentence.splitAtNextStep
    return Self(name: name, state: .broken, detail: detail, nextStep: step ?? next)
  }

  static func notApplicable(_ name: String, _ detail: String, next: String? = nil) -> Self {
    Self(name: name, state: .notApplicable, detail: detail, nextStep: next)
  }
}

extension String {
  /// Our sentences say first what is wrong, and behind the first semicolon or full stop what to do.
  var splitAtNextStep: (what: String, step: String?) {
    let ends = ["; ", ". "].compactMap { firstRange(of: $0) }
    guard let end = ends.min(by: { $0.lowerBound < $1.lowerBound }) else { return (self, nil) }
    return (String(self[..<end.lowerBound]), String(self[end.upperBound...]))
  }
}
