// SPDX-License-Identifier: MIT

import System

/// Looks whether outputs have gone dark or are lit again, where the compositor tells nobody: sway before 1.9, and labwc.
///
/// Screens are put out when nobody has touched the machine for long, and lit because somebody has, so it looks while that
/// may be: once a minute in the light as long as the machine is left alone and the sensor is on, and for some seconds after
/// each touch in the dark.
///
///     lit, left alone                      dark            touched              lit
///     |·····1 min·····look·····1 min·····look|looks for 5 s|······|-looks for 5 s-|
///
/// Where nobody tells of touches, it looks for the light all the time and for the dark never.
final class PowerWatch {
  /// What somebody wants to know.
  struct Interest: Equatable {
    /// Something is dark, and may be lit.
    var isDark = false
    /// Somebody wants to know when what is lit goes dark.
    var awaitsDark = false

    fileprivate var watch: Watch { isDark ? .forLight : awaitsDark ? .forDark : .none }
  }

  fileprivate enum Watch {
    case none, forDark, forLight
  }

  /// Nanoseconds; who lights a screen wonders after half a second.
  private static let interval: Int64 = 400_000_000
  /// How long after a touch; nanoseconds.
  private static let patience: Int64 = 5_000_000_000
  /// Nanoseconds: what is spent on the sensor of a screen that nobody sees.
  private static let longInterval: Int64 = 60_000_000_000

  private let look: () -> Void
  private let activity: SeatActivity?
  private var timer: EventTimer?
  private var looksUntil: Int64 = 0

  /// - Parameter look: asks; what is found is to be told by `interest`.
  init(_ connection: WaylandConnection, on loop: EventLoop, look: @escaping () -> Void) throws {
    self.look = look
    activity = SeatActivity(connection)
    timer = try loop.timer { [weak self] in self?.lookAgain() }
  }

  var interest = Interest() {
    didSet {
      if interest.watch != oldValue.watch { begin() }
    }
  }

  func stop() {
    activity?.end()
    timer?.cancel()
    timer = nil
  }

  private func begin() {
    timer?.arm(at: nil)
    switch interest.watch {
    case .none: activity?.end()
    case .forDark:
      activity?.begin(
        quietFor: Self.longInterval, idled: { [weak self] in self?.lookAgain() },
        resumed: { [weak self] in self?.timer?.arm(at: nil) })
    case .forLight:
      activity?.begin(quietFor: 1_000_000_000, resumed: { [weak self] in self?.lookForLight() })
      lookForLight()
    }
  }

  private func lookForLight() {
    looksUntil = EventLoop.now + Self.patience
    timer?.arm(at: EventLoop.now + Self.interval)
  }

  private func lookAgain() {
    let now = EventLoop.now
    switch interest.watch {
    case .none: return
    case .forDark: timer?.arm(at: now + Self.longInterval)
    case .forLight where activity != nil && now >= looksUntil: break
    case .forLight: timer?.arm(at: now + Self.interval)
    }
    look()
  }
}
