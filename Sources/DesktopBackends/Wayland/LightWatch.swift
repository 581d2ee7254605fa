// SPDX-License-Identifier: MIT

import System

/// Looks for the light in the dark, where the compositor tells nobody of it: sway before 1.9, and labwc since 0.9.
///
/// Whoever lights outputs does so because somebody has touched the machine, so it looks for some seconds after each touch:
///
///     dark            touched              left alone      touched      lit
///     |-looks for 5 s-|······|-looks for 5 s-|······|-looks-|
///
/// Where nobody tells of touches it looks all the time.
final class LightWatch {
  /// Nanoseconds; who lights a screen wonders after half a second.
  private static let interval: Int64 = 400_000_000
  /// How long after a touch; nanoseconds.
  private static let patience: Int64 = 5_000_000_000

  private let look: () -> Void
  private var timer: EventTimer?
  private var activity: SeatActivity?
  private var looksUntil: Int64 = 0

  /// - Parameter look: asks; what is found is to be told by `isDark`.
  init(_ connection: WaylandConnection, on loop: EventLoop, look: @escaping () -> Void) throws {
    self.look = look
    timer = try loop.timer { [weak self] in self?.lookAgain() }
    activity = SeatActivity(connection) { [weak self] in self?.beginToLook() }
  }

  /// Whether anything is dark that may be lit.
  var isDark = false {
    didSet {
      guard isDark != oldValue else { return }
      activity?.isAwaited = isDark
      if isDark { beginToLook() } else { timer?.arm(at: nil) }
    }
  }

  func stop() {
    timer?.cancel()
    timer = nil
    activity = nil
  }

  private func beginToLook() {
    looksUntil = EventLoop.now + Self.patience
    timer?.arm(at: EventLoop.now + Self.interval)
  }

  private func lookAgain() {
    guard isDark else { return }
    if activity == nil || EventLoop.now < looksUntil { timer?.arm(at: EventLoop.now + Self.interval) }
    look()
  }
}
