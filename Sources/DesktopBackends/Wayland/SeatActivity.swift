// SPDX-License-Identifier: MIT

import CWayland
import CWaylandProtocols

/// Reports when the user has been idle for a while, and is active again, by ext-idle-notify or, before sway 1.8, by
/// KDE's protocol for the same. Nothing wakes in between.
final class SeatActivity: WaylandListener {
  /// Must outlive the proxies.
  private let connection: WaylandConnection
  private let seat: OpaquePointer
  private let notifier: OpaquePointer
  private let isStandard: Bool
  private var watch: OpaquePointer?
  private var report: (_ isIdle: Bool) -> Void = { _ in }

  /// - Returns: `nil` if the compositor offers neither.
  init?(_ connection: WaylandConnection) {
    let registry = connection.registry
    let standard = registry.bind(cwl_ext_idle_notifier_v1(), upTo: 1)
    guard let notifier = standard ?? registry.bind(cwl_org_kde_kwin_idle(), upTo: 1) else { return nil }
    guard let seat = registry.bind(cwl_wl_seat(), upTo: 1) else {
      wl_proxy_destroy(notifier)
      return nil
    }
    self.connection = connection
    (self.seat, self.notifier, isStandard) = (seat, notifier, standard != nil)
  }

  isolated deinit {
    end()
    wl_seat_destroy(seat)
    wl_proxy_destroy(notifier)
  }

  /// - Parameters:
  ///   - quiet: the time without input until the user counts as idle; nanoseconds.
  ///   - report: called when the user is idle, and when active again after that.
  func begin(quietFor quiet: Int64, report: @escaping (_ isIdle: Bool) -> Void) {
    end()
    self.report = report
    let milliseconds = UInt32(clamping: quiet / 1_000_000)
    if isStandard {
      watch = ext_idle_notifier_v1_get_idle_notification(notifier, milliseconds, seat)
      if let watch { ext_idle_notification_v1_add_listener(watch, Self.listener, context) }
    } else {
      watch = org_kde_kwin_idle_get_idle_timeout(notifier, seat, milliseconds)
      if let watch { org_kde_kwin_idle_timeout_add_listener(watch, Self.olderListener, context) }
    }
  }

  func end() {
    guard let watch = watch.take() else { return }
    isStandard ? ext_idle_notification_v1_destroy(watch) : org_kde_kwin_idle_timeout_release(watch)
  }

  private static let listener = pinned { (listener: inout ext_idle_notification_v1_listener) in
    listener.idled = { context, _ in SeatActivity.at(context)?.report(true) }
    listener.resumed = { context, _ in SeatActivity.at(context)?.report(false) }
  }

  private static let olderListener = pinned { (listener: inout org_kde_kwin_idle_timeout_listener) in
    listener.idle = { context, _ in SeatActivity.at(context)?.report(true) }
    listener.resumed = { context, _ in SeatActivity.at(context)?.report(false) }
  }
}
