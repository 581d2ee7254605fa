// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

extension Calibration.Hold {
  /// What to do, for the person.
  var instruction: String { localized(instructing) }

  private var instructing: Phrase {
    switch self {
    case .upright: "Upright, as the device stands on a desk: its top edge up, the screen towards you."
    case .leftEdgeUp: "On its side: the left edge of the screen up."
    case .upsideDown: "Upside down: its top edge down."
    case .faceUp: "Flat on a table, the screen up."
    }
  }

  /// "the left edge up"
  var name: String { localized(naming) }

  private var naming: Phrase {
    switch self {
    case .upright: "upright"
    case .leftEdgeUp: "with the left edge up"
    case .upsideDown: "upside down"
    case .faceUp: "flat with the screen up"
    }
  }
}

extension Calibration.Failure: CustomStringConvertible {
  /// A sentence with the next step.
  package var description: String { localized(phrase) }

  private var phrase: Phrase {
    switch self {
    case .notGravity(let hold, let magnitude):
      "|a| \(hold.name) is \(magnitude.text(decimals: 1)) m/s², far from g (9.81): hold the device still; if it "
        + "stays so, the sensor's scale is wrong, which no matrix mends (see: autorotate doctor)"
    case .betweenAxes(let hold, let cosine):
      "\(hold.name), gravity is \((acos(cosine) * 180 / .pi).text(decimals: 0))° off the nearest axis of the "
        + "sensor: hold it straighter"
    case .alike(let hold, let earlier):
      "\(hold.name) the sensor says the same as \(earlier.name): turn the device further"
    case .contradictory(let hold, let earlier):
      "\(hold.name) does not go together with \(earlier.name): one of the two was held differently"
    case .incomplete: "all four holds are needed"
    }
  }
}
