// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Language

extension DisplayFacts {
  /// Whether touch can be off near a pen, where that is wanted.
  var nearPen: [Finding] {
    guard isTouchOffNearPen, case .success(let choice) = choice else { return [] }
    let name: Phrase = "touch near a pen"
    switch choice.kind.touchSwitching {
    case .nothing: return [Finding(name, .touchCannotBeSwitched(by: choice.kind.rawValue))]
    case .switchesAndTells: return [.works(name, "the X server tells when a pen is near")]
    case .switches where pens.isEmpty:
      return [.notApplicable(name, "no pen that one draws on the screen with")]
    case .switches: return pens.map { Finding(name, $0) }
    }
  }
}
