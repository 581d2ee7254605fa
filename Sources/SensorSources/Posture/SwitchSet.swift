// SPDX-License-Identifier: MIT

import CEvdev

/// Those of the kernel's switches that tell the shape of a device.
nonisolated struct SwitchSet: OptionSet {
  let rawValue: UInt

  static let lidClosed = Self(rawValue: 1 << UInt(SW_LID))
  static let tablet = Self(rawValue: 1 << UInt(SW_TABLET_MODE))
  static let docked = Self(rawValue: 1 << UInt(SW_DOCK))
  static let all: Self = [.lidClosed, .tablet, .docked]
}

nonisolated extension SwitchSet {
  /// - Parameter capabilities: the kernel's bit mask in hexadecimal words, the highest first: "1 0", "2".
  init(capabilities: String) {
    let lowest = capabilities.split(whereSeparator: \.isWhitespace).last
    self = Self(rawValue: lowest.flatMap { UInt($0, radix: 16) } ?? 0).intersection(.all)
  }
}
