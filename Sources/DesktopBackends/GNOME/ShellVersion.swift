// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Which GNOME Shell runs, if one does.
final class ShellVersion {
  nonisolated static let target = BusTarget(
    service: "org.gnome.Shell", path: "/org/gnome/Shell", interface: "org.gnome.Shell")

  private let bus: Bus
  private let tell: (String?) -> Void
  private var watch: Subscription?

  /// - Parameter tell: takes it once it is known, and when the Shell comes or goes; `nil` without one.
  init(_ bus: Bus, _ tell: @escaping (String?) -> Void) throws(BusError) {
    self.bus = bus
    self.tell = tell
    watch = try bus.watchName(Self.target.service) { [weak self] in self?.adopt($0) }
  }

  func stop() {
    watch = nil
  }

  private func adopt(_ owner: String?) {
    guard owner != nil else { return tell(nil) }
    let arguments = [Value.string(Self.target.interface), .string("ShellVersion")]
    // A Shell that has just begun may be busy for long.
    let question: ()? = try? bus.call(
      Self.target.properties, "Get", arguments, timeout: .forever, startsService: false
    ) { [weak self] answer in
      self?.tell(try? answer.get().read(0))
    }
    if question == nil { tell(nil) }
  }
}

/// Mutter 49 and 50 say that they take care of the panel's orientation, and never ask for the sensor where no switch
/// tells of the tablet posture: who inhibits it is counted from one too few (mutter#4931; 51 has it right).
nonisolated enum SleepingRotation {
  private static let versions = 49...50

  /// - Parameters:
  ///   - version: of GNOME Shell, which is Mutter's: "49.4", "50.beta".
  ///   - inputs: all input devices; not asked for where the version says enough.
  static func isThere(in version: String?, _ inputs: @autoclosure () -> [KernelInput]) -> Bool {
    let major = version.flatMap { Int($0.prefix { $0.isNumber }) }
    return major.map(versions.contains) == true && !inputs().contains { $0.isTabletSwitch }
  }

  static let message = Message(
    .desktopYields,
    "GNOME says that it turns the picture, but this version never asks for the sensor where no switch tells of the "
      + "tablet posture, so autorotate turns it",
    next: "GNOME 51 turns it by itself again")

  /// The person has switched it on, and that counts for us, too.
  static let locked = Message(
    .desktopTurns, "GNOME's orientation lock is on",
    next: "switch it off in GNOME's quick settings, or set `take-over = true` in the [display] settings")
}
