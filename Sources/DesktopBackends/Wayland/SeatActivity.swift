// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols

/// Tells when somebody touches the machine again, by ext-idle-notify or, before sway 1.8, by KDE's protocol for the same.
/// Nothing wakes meanwhile.
final class SeatActivity {
  /// How long nobody may touch it until it counts as left alone; milliseconds.
  private static let quiet: UInt32 = 1000

  /// Outlives the proxies.
  private let connection: WaylandConnection
  private let resumed: () -> Void
  private let seat: OpaquePointer
  private let notifier: OpaquePointer
  private let isStandard: Bool
  private var watch: OpaquePointer?

  /// - Returns: `nil` if the compositor cannot tell.
  init?(_ connection: WaylandConnection, resumed: @escaping () -> Void) {
    let registry = connection.registry
    let standard = registry.bind(cwl_ext_idle_notifier_v1(), upTo: 1)
    guard let notifier = standard ?? registry.bind(cwl_org_kde_kwin_idle(), upTo: 1) else { return nil }
    guard let seat = registry.bind(cwl_wl_seat(), upTo: 1) else {
      wl_proxy_destroy(notifier)
      return nil
    }
    (self.connection, self.resumed) = (connection, resumed)
    (self.seat, self.notifier, isStandard) = (seat, notifier, standard != nil)
  }

  isolated deinit {
    end()
    wl_seat_destroy(seat)
    wl_proxy_destroy(notifier)
  }

  /// Whether it is to be told; what happens within a second after that need not be.
  var isAwaited = false {
    didSet {
      guard isAwaited != oldValue else { return }
      if isAwaited { begin() } else { end() }
    }
  }

  private func begin() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    if isStandard {
      watch = ext_idle_notifier_v1_get_idle_notification(notifier, Self.quiet, seat)
      if let watch { ext_idle_notification_v1_add_listener(watch, Self.listener, context) }
    } else {
      watch = org_kde_kwin_idle_get_idle_timeout(notifier, seat, Self.quiet)
      if let watch { org_kde_kwin_idle_timeout_add_listener(watch, Self.olderListener, context) }
    }
  }

  private func end() {
    guard let watch else { return }
    if isStandard {
      ext_idle_notification_v1_destroy(watch)
    } else {
      org_kde_kwin_idle_timeout_release(watch)
    }
    self.watch = nil
  }

  private static let listener = pinned(
    ext_idle_notification_v1_listener(
      idled: { _, _ in },
      resumed: { context, _ in object(SeatActivity.self, context)?.resumed() }))

  private static let olderListener = pinned(
    org_kde_kwin_idle_timeout_listener(
      idle: { _, _ in },
      resumed: { context, _ in object(SeatActivity.self, context)?.resumed() }))
}
