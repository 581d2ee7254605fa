// SPDX-License-Identifier: MIT

import CSystemd

/// Reports that udev has added, changed or removed a device of a subsystem.
package final class UdevMonitor {
  private let monitor: OpaquePointer
  private let handler: () -> Void

  /// - Throws: `SystemError` if udev's messages cannot be received.
  package init(subsystem: String, loop: EventLoop, _ handler: @escaping () -> Void) throws {
    var monitor: OpaquePointer?
    let code = sd_device_monitor_new(&monitor)
    guard code >= 0, let monitor else { throw SystemError(call: "sd_device_monitor_new", code: code) }
    self.monitor = monitor
    self.handler = handler
    try EventLoop.check(
      sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil),
      "sd_device_monitor_filter_add_match_subsystem_devtype")
    try EventLoop.check(sd_device_monitor_attach_event(monitor, loop.event), "sd_device_monitor_attach_event")
    let started = sd_device_monitor_start(
      monitor,
      { _, _, context in
        let monitor = callbackObject(UdevMonitor.self, at: context)
        withExtendedLifetime(monitor) { monitor.handler() }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try EventLoop.check(started, "sd_device_monitor_start")
  }

  isolated deinit {
    sd_device_monitor_unref(monitor)
  }
}
