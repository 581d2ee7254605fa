// SPDX-License-Identifier: MIT

import System

/// The auto-rotation of Plasma 5 on Wayland, done by KScreen's module in kded5, not yet by KWin.
///
/// Its setting has no change signal, so it is read when kded5 starts, and whenever the outputs have changed.
final class KScreenRotation {
  static let target = BusTarget(
    service: "org.kde.kded5", path: "/modules/kscreen", interface: "org.kde.KScreen")
  /// A loaded module answers at once.
  private static let timeout = Duration.seconds(5)

  private let bus: Bus
  private let report: (KWinRotationPolicy?) -> Void
  private var watch: Subscription?
  private var isRunning = false

  /// - Parameter report: receives the policy; `nil` if it cannot rotate, without a sensor or when not running.
  init(_ bus: Bus, report: @escaping (KWinRotationPolicy?) -> Void) throws(BusError) {
    self.bus = bus
    self.report = report
    watch = try bus.watchName(Self.target.service) { [weak self] owner in
      self?.isRunning = owner != nil
      self?.ask()
    }
  }

  func ask() {
    guard isRunning else { return report(nil) }
    ask("isAutoRotateAvailable") { [weak self] isAvailable in
      guard let self else { return }
      guard isAvailable else { return report(nil) }
      ask("getAutoRotate") { [weak self] in self?.report($0 ? .inTabletMode : .never) }
    }
  }

  func set(_ policy: KWinRotationPolicy) {
    try? bus.call(
      Self.target, "setAutoRotate", [.bool(policy != .never)], timeout: Self.timeout
    ) { [weak self] _ in self?.ask() }
  }

  /// Called before the process ends.
  /// - Parameter last: a connection that is still open.
  /// - Returns: whether it succeeded.
  func setAndWait(_ policy: KWinRotationPolicy, on last: Bus?) -> Bool {
    let answer = try? last?.callAndWait(
      Self.target, "setAutoRotate", [.bool(policy != .never)], timeout: .milliseconds(500))
    return answer != nil
  }

  private func ask(_ question: String, then: @escaping (Bool) -> Void) {
    bus.ask(Self.target, question, timeout: Self.timeout) { answer in
      // A kded5 without that module does not rotate.
      then((try? answer.get().read(0, as: Bool.self)) ?? false)
    }
  }
}
