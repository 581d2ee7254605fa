// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

extension Calibration.Position {
  /// Of the step, from 1.
  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// What the user has to do.
  var instruction: String { localized(instructing) }

  private var instructing: Phrase {
    switch self {
    case .upright: "Upright, as on a desk: the top edge up, the screen facing you."
    case .leftEdgeUp: "On its side, with the left edge of the screen up."
    case .upsideDown: "Upside down, with the top edge down."
    case .faceUp: "Flat on a table, with the screen up."
    }
  }

  /// As in "with the left edge up".
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
    case .notGravity(let position, let magnitude):
      "|a| \(position.name) is \(magnitude.text(decimals: 1)) m/s², far from g (9.81): hold the device still. If it "
        + "stays so, the sensor's scale is wrong, which no matrix can correct (see: autorotate doctor)"
    case .betweenAxes(let position, let cosine):
      "\(position.name), gravity is \((acos(cosine) * 180 / .pi).text(decimals: 0))° off the nearest axis of the "
        + "sensor: hold it straighter"
    case .sameDirection(let position, let earlier):
      "\(position.name), the sensor measures the same as \(earlier.name): rotate the device further"
    case .contradictory(let position, let earlier):
      "the values \(position.name) and \(earlier.name) contradict each other: one of the two was held differently"
    case .incomplete: "all four orientations are needed"
    }
  }
}

/// Four device orientations that were measured elsewhere: lines of x,y,z in the sensor's own frame, m/s².
struct PositionsFile {
  let means: [Acceleration]

  /// - Parameter path: or "-" for standard input.
  init(path: String) throws(Message) {
    let name = path == "-" ? localized("standard input") : path
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    defer { if path != "-" { close(descriptor) } }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      throw Message(
        .commandMistaken, "\(name): \(String(cString: strerror(errno))). Give the path of a readable file")
    }
    try self.init(text: String(decoding: bytes.prefix(count), as: UTF8.self), name: name)
  }

  init(text: String, name: String) throws(Message) {
    var means: [Acceleration] = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.prefix { $0 != "#" }.split { $0 == "," || $0.isWhitespace }
      guard !words.isEmpty else { continue }
      let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
      guard words.count == 3, numbers.count == 3 else {
        throw Message(
          .commandMistaken,
          "\(name):\(number + 1): not three numbers. Write x,y,z in m/s², as in 0.1,-9.8,0.3")
      }
      means.append(Acceleration(x: numbers[0], y: numbers[1], z: numbers[2]))
    }
    guard means.count == Calibration.Position.allCases.count else {
      let names = Calibration.Position.allCases.map(\.name).joined(separator: ", ")
      throw Message(.commandMistaken, "\(name) has \(means.count) lines of x,y,z; four are needed: \(names)")
    }
    self.means = means
  }
}
