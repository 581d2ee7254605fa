// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

extension ArgumentHelp {
  /// - Parameter valueName: the same in every language, as in the manual.
  static func said(_ phrase: Phrase, valueName: String? = nil) -> Self {
    ArgumentHelp(stringLiteral: localized(phrase)).naming(valueName)
  }

  private func naming(_ valueName: String?) -> Self {
    var help = self
    help.valueName = valueName
    return help
  }
}

/// A usage error: a sentence that says what to type instead.
func misuse(_ phrase: Phrase) -> ValidationError {
  ValidationError(localized(phrase))
}
