// SPDX-License-Identifier: MIT

/// Keeps the hand that holds a pen from touching.
///
///     pen      away │ near     │ away
///     touch    on   │ off      │ off, 500 ms │ on
struct PenGuard: Sendable {
  /// The hand leaves the glass after the pen.
  static let afterPen = Duration.milliseconds(500)

  private var isNear = false
  private var leftAt: Instant?
  /// As it was told last.
  private var isTouchOff = false

  mutating func came() {
    isNear = true
  }

  mutating func left(at now: Instant) {
    guard isNear else { return }
    isNear = false
    leftAt = now
  }

  /// When touch is to be switched on, if no pen comes before.
  var deadline: Instant? {
    isTouchOff && !isNear ? leftAt.map { $0 + Self.afterPen } : nil
  }

  private func isOff(at now: Instant) -> Bool {
    isNear || leftAt.map { now < $0 + Self.afterPen } ?? false
  }

  /// - Returns: whether touch is to be on, if that is another than it was.
  mutating func change(at now: Instant) -> Bool? {
    let isOff = isOff(at: now)
    guard isOff != isTouchOff else { return nil }
    isTouchOff = isOff
    return !isOff
  }

  /// Nobody asks for it any more.
  mutating func forget() {
    isNear = false
    leftAt = nil
  }
}

extension Autorotator {
  mutating func adjustTouch(at now: Instant, _ actions: inout [Action]) {
    if !settings.touchOffNearPen { pen.forget() }
    if let isOn = pen.change(at: now) { actions.append(.switchTouch(isOn: isOn)) }
  }
}
