// SPDX-License-Identifier: MIT

/// The steps from one state of the screen to another.
struct ScreenChange: Equatable {
  /// CRTCs to switch off first, since the server refuses a screen that one of them sticks out of.
  var switchedOff: [UInt32]
  /// The screen's new size, if it gets one.
  var screen: RandRState.Screen?
  /// CRTCs to set, as they shall be.
  var set: [RandRState.CRTC]
  /// The time of the configuration that this starts from.
  var configTimestamp: UInt32

  init(from old: RandRState, to new: RandRState) {
    let size = new.screen
    let staysLit = { (crtc: RandRState.CRTC) in new[crtc: crtc.id]?.isLit ?? false }
    switchedOff = old.crtcs.filter { crtc in
      let fits = crtc.rectangle.fits(width: size.width, height: size.height)
      return crtc.isLit && (!fits || !staysLit(crtc))
    }.map(\.id)
    screen = old.screen == size ? nil : size
    let (off, before) = (switchedOff, old)
    set = new.crtcs.filter { crtc in
      crtc.isLit && (off.contains(crtc.id) || before[crtc: crtc.id].map { !$0.shows(crtc) } ?? true)
    }
    configTimestamp = old.timestamps.configured
  }

  var isEmpty: Bool { switchedOff.isEmpty && screen == nil && set.isEmpty }
}

extension RandRState.CRTC {
  /// Whether both show the same part of the screen in the same way on the same outputs.
  func shows(_ other: Self) -> Bool {
    mode == other.mode && rotation == other.rotation && Set(outputs) == Set(other.outputs)
      && (!isLit || rectangle == other.rectangle)
  }
}
