// SPDX-License-Identifier: MIT

import System

/// Tells when GNOME's settings for touchscreens may have become others: dconf, which keeps them, says so on the bus.
final class SettingsWatch {
  nonisolated static let writer = BusTarget(
    service: "ca.desrt.dconf", path: "/ca/desrt/dconf/Writer/user", interface: "ca.desrt.dconf.Writer")
  private static let key = "/org/gnome/settings-daemon/peripherals/touchscreen/orientation-lock"

  private let changed: () -> Void
  private var subscriptions: [Subscription] = []
  private var owner: String?

  /// - Parameter changed: called from the loop.
  init(_ bus: Bus, _ changed: @escaping () -> Void) throws(BusError) {
    self.changed = changed
    subscriptions = [
      try bus.match(SignalRule(Self.writer, "Notify")) { [weak self] in self?.hear($0) },
      try bus.watchName(Self.writer.service) { [weak self] in self?.owner = $0 },
    ]
  }

  func stop() {
    subscriptions = []
  }

  private func hear(_ signal: BusMessage) {
    guard signal.sender == owner, let arguments = try? signal.arguments(),
      let prefix: String = try? arguments.read(0), let changes: [String] = try? arguments.read(1)
    else { return }
    // What ends with a slash, or with nothing, stands for all below it.
    if changes.contains(where: { Self.key.hasPrefix(prefix + $0) }) { changed() }
  }
}
