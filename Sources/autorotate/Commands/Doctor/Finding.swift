// SPDX-License-Identifier: MIT

import Autorotation
import Language

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

  init(_ name: Phrase, _ state: State, _ detail: Phrase, next: Phrase?) {
    self.name = localized(name)
    self.state = state
    self.detail = localized(detail)
    nextStep = next.map(localized)
  }

  static func works(_ name: Phrase, _ detail: Phrase, next: Phrase? = nil) -> Self {
    Self(name, .works, detail, next: next)
  }

  static func broken(_ name: Phrase, _ detail: Phrase, next: Phrase) -> Self {
    Self(name, .broken, detail, next: next)
  }

  /// - Parameter next: where the message has none.
  static func broken(_ name: Phrase, _ message: Message, next: Phrase) -> Self {
    Self(name, .broken, message.what, next: message.next ?? next)
  }

  static func notApplicable(_ name: Phrase, _ detail: Phrase, next: Phrase? = nil) -> Self {
    Self(name, .notApplicable, detail, next: next)
  }
}
