// SPDX-License-Identifier: MIT

import System

/// How large a panel or a touchscreen is, in millimetres.
nonisolated struct PhysicalSize: Equatable, Sendable {
  private let longer: Int
  private let shorter: Int

  /// `nil` unless it is a size that something has.
  init?(width: Int, height: Int) {
    let sides = 1...10_000
    guard sides.contains(width), sides.contains(height) else { return nil }
    // Which side is the width is another matter on a panel that is mounted sideways.
    (longer, shorter) = (max(width, height), min(width, height))
  }

  /// Whether two may be of the same glass. Touchscreens reach beyond what is lit, and EDIDs round to centimetres:
  /// as Mutter does, one in twenty is allowed, and a centimetre at least.
  func fits(_ other: Self) -> Bool {
    abs(longer - other.longer) <= max(10, longer / 20)
      && abs(shorter - other.shorter) <= max(10, shorter / 20)
  }

  /// Where the kernel tells of connectors.
  static let usualDirectory = "/sys/class/drm"

  /// What the panel on a connector tells of itself; `nil` if the kernel knows no connector of this name.
  init?(connector: String, in directory: String = usualDirectory) {
    guard !connector.contains("/"),
      let card = SystemFile.names(in: directory).sorted().first(where: { $0.hasSuffix("-\(connector)") }),
      let edid = SystemFile.bytes(of: "\(directory)/\(card)/edid", mostBytes: 128)
    else { return nil }
    self.init(edid: edid)
  }

  /// - Parameter edid: VESA E-EDID 1.4: the first detailed timing tells millimetres, the head whole centimetres.
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
