// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

extension Configuration {
  /// What is wrong with the files, for a person who looks at the desktop; `nil` if nothing is.
  var message: Message? {
    let errors = diagnostics.filter { $0.severity == .error }
    guard let first = errors.first else { return nil }
    let place: Phrase = first.place.map { ", line \($0.line)" } ?? ""
    let more: Phrase = errors.count > 1 ? " (And \(errors.count - 1) more; see: autorotate check)" : ""
    let advice: Phrase = first.advice.map { ". \($0)" } ?? "."
    return Message(.settingsFaulty, "\(first.path)\(place): \(first.message)\(advice)\(more)")
  }
}
