// SPDX-License-Identifier: MIT

extension Double {
  /// For a person: rounded, with this many digits behind the point.
  package func text(decimals: Int) -> String {
    guard isFinite, magnitude < 1e15 else { return "\(self)" }
    let unit = (0..<decimals).reduce(1) { unit, _ in unit * 10 }
    let rounded = Int((magnitude * Double(unit)).rounded())
    let sign = self < 0 && rounded > 0 ? "-" : ""
    guard decimals > 0 else { return sign + "\(rounded)" }
    let fraction = "\(rounded % unit)"
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(rounded / unit).\(zeros)\(fraction)"
  }
}
