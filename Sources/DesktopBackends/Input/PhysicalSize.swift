// SPDX-License-Identifier: MIT

import System

/// The size of a panel or a touchscreen, in millimetres.
nonisolated struct PhysicalSize: Equatable, Sendable {
  private let longer: Int
  private let shorter: Int

  /// `nil` unless the size is plausible.
  init?(width: Int, height: Int) {
    let sides = 1...10_000
    guard sides.contains(width), sides.contains(height) else { return nil }
    // Width and height may be swapped on a panel that is mounted sideways.
    (longer, shorter) = (max(width, height), min(width, height))
  }

  /// Whether two sizes may be of the same glass. Touchscreens extend beyond the lit area, and EDIDs round to
  /// centimetres: as in Mutter, the tolerance is 5 %, and at least a centimetre.
  func fits(_ other: Self) -> Bool {
    abs(longer - other.longer) <= max(10, longer / 20)
      && abs(shorter - other.shorter) <= max(10, shorter / 20)
  }

  static let usualDirectory = "/sys/class/drm"

  /// The size in the EDID of a connector's panel; `nil` if the kernel knows no connector of this name.
  init?(connector: String, in directory: String = usualDirectory) {
    // A name with a slash is the end of no entry.
    guard let card = SystemFile.names(in: directory).sorted().first(where: { $0.hasSuffix("-\(connector)") }),
      let edid = SystemFile.bytes(of: "\(directory)/\(card)/edid", maximumBytes: 128)
    else { return nil }
    self.init(edid: edid)
  }

  /// - Parameter edid: VESA E-EDID 1.4: the first detailed timing has millimetres, the head whole centimetres.
  init?(edid: [UInt8]) {
    guard edid.count >= 128, edid.starts(with: [0, 255, 255, 255, 255, 255, 255, 0]) else { return nil }
    let timing = 54
    let (low, high) = (Int(edid[timing + 12]), Int(edid[timing + 14] >> 4) << 8)
    let (lowHeight, highHeight) = (Int(edid[timing + 13]), Int(edid[timing + 14] & 15) << 8)
    let isTiming = edid[timing] != 0 || edid[timing + 1] != 0
    if isTiming, let exact = Self(width: low | high, height: lowHeight | highHeight) {
      self = exact
    } else {
      self.init(width: Int(edid[21]) * 10, height: Int(edid[22]) * 10)
    }
  }
}
