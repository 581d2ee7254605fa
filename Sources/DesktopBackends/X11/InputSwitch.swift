// SPDX-License-Identifier: MIT

/// What is to be done with one device that may be disabled for the time of being a tablet.
///
/// What we disabled carries a mark on the X server, so that a daemon that was killed leaves nothing disabled
/// for good: the next one sees the mark.
nonisolated enum InputSwitch: Equatable {
  case nothing
  /// Mark it, and disable it.
  case disable
  /// Enable it; the mark goes when that is seen to be so, which it may not be while another terminal is shown.
  case enable
  case removeMark

  init(isWanted: Bool, isEnabled: Bool, isMarked: Bool) {
    self =
      switch (isWanted, isEnabled, isMarked) {
      case (true, true, false): .disable
      // The person has enabled it again.
      case (true, true, true): .nothing
      case (true, false, _): .nothing
      case (false, false, true): .enable
      case (false, true, true): .removeMark
      // Others disabled it, or nobody did.
      case (false, _, false): .nothing
      }
  }
}
