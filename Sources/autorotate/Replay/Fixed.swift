// SPDX-License-Identifier: MIT

/// A number with so many decimals, rounded, in any locale the same; "-" for what is not a number.
func fixed(_ value: Double, decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
  guard let scaled = Int64(exactly: (value * scale).rounded()) else { return "-" }
  let digits = String(scaled.magnitude)
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let sign = scaled < 0 ? "-" : ""
  guard decimals > 0 else { return sign + padded }
  return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
}
