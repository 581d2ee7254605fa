// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The version of the running GNOME Shell.
final class ShellVersion {
  nonisolated static let target = BusTarget(
    service: "org.gnome.Shell", path: "/org/gnome/Shell", interface: "org.gnome.Shell")

  private let bus: Bus
  private let report: (String?) -> Void
  private var watch: Subscription?

  /// - Parameter report: receives the version once it is known, and when the Shell comes or goes; `nil` without one.
  init(_ bus: Bus, _ report: @escaping (String?) -> Void) throws(BusError) {
    self.bus = bus
    self.report = report
    watch = try bus.watchName(Self.target.service) { [weak self] in self?.adopt($0) }
  }

  private func adopt(_ owner: String?) {
    guard owner != nil else { return report(nil) }
    let arguments = [Value.string(Self.target.interface), .string("ShellVersion")]
    // A Shell that has just started may be busy for long.
    bus.ask(Self.target.properties, "Get", arguments, timeout: .forever) { [weak self] answer in
      self?.report(try? answer.get().read(0))
    }
  }
}

/// Mutter 49 and 50 report that they manage the panel's orientation, but never request the sensor where no
/// tablet-mode switch exists: their inhibit count is one too low (mutter#4931; fixed in 51).
nonisolated enum StalledRotation {
  private static let versions = 49...50

  /// - Parameters:
  ///   - version: of GNOME Shell, the same as Mutter's: "49.4", "50.beta".
  ///   - inputs: all input devices; read only if the version may be affected.
  static func occurs(in version: String?, _ inputs: @autoclosure () -> [KernelInput]) -> Bool {
    let major = version.flatMap { Int($0.prefix { $0.isNumber }) }
    return major.map(versions.contains) == true && !inputs().contains { $0.isTabletSwitch }
  }

  static let message = Message(
    .desktopYields,
    "GNOME reports that it rotates the screen, but this version never reads the sensor without a tablet-mode switch, "
      + "so autorotate rotates it",
    next: "GNOME 51 rotates it automatically again")

  /// The user has switched on the lock, which also applies to autorotate.
  static let locked = Message(
    .desktopRotates, "GNOME's orientation lock is on",
    next: "switch it off in GNOME's quick settings, or set `take-over = true` in the [display] settings")
}
