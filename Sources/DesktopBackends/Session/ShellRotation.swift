// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Shells that turn the picture by themselves on a display system that takes our turns, too. Each does while its
/// orientation lock is off; with the lock on the picture is ours. Built by their sources; neither was run.
nonisolated package struct TurningShell: Sendable {
  /// For a person.
  package var name: String
  /// What it owns on the session bus.
  var service: String
  /// The name of its process, where others may own that, too.
  var process: String?
  /// Of the setting `orientation-lock`.
  var schema: String

  static let all = [
    TurningShell(
      name: "Cinnamon", service: "org.Cinnamon",
      schema: "org.cinnamon.settings-daemon.peripherals.touchscreen"),
    // It offers what Mutter does, though phoc is its compositor.
    TurningShell(
      name: "phosh", service: "org.gnome.Mutter.DisplayConfig", process: "phosh",
      schema: "org.gnome.settings-daemon.peripherals.touchscreen"),
  ]

  /// Where dconf keeps the setting.
  var path: String { "/" + schema.split(separator: ".").joined(separator: "/") + "/orientation-lock" }

  /// Those that turn the picture now. Waits for what it asks.
  /// - Parameter bus: the session's.
  @MainActor
  package static func turning(on bus: Bus, program: String = "gsettings") -> [Self] {
    guard let loop = try? EventLoop() else { return [] }
    let settings = SettingsProgram(program, loop: loop)
    return all.filter { shell in
      shell.isRunning(on: bus)
        && settings.readAndWait(["get", shell.schema, "orientation-lock"]) == "false"
    }
  }

  @MainActor
  private func isRunning(on bus: Bus) -> Bool {
    guard let owner = try? bus.callAndWait(.driver, "GetConnectionUnixProcessID", [.string(service)]),
      let id: UInt32 = try? owner.read(0)
    else { return false }
    return process == nil || SystemFile.line(of: "/proc/\(id)/comm") == process
  }

  var advice: Message {
    Message(
      .desktopTurns, "\(name) turns the picture by itself",
      next: "to leave it to autorotate, switch the orientation lock of \(name) on")
  }
}

/// Tells whether one of them turns the picture.
package final class ShellRotation {
  private let bus: Bus
  private let program: SettingsProgram
  private let shells: [TurningShell]
  private let processName: (Int32) -> String?
  private let report: (Message?) -> Void
  private var subscriptions: [Subscription] = []
  private var watch: SettingsWatch?
  private var shell: TurningShell?
  private var isReading = false
  private var isStale = false
  private var told: Message?

  /// - Parameters:
  ///   - bus: the session's.
  ///   - program: what reads its settings.
  ///   - report: takes who turns the picture, as `desktopTurns` does; only changes, called from the loop.
  package convenience init(
    _ bus: Bus, loop: EventLoop, program: String = "gsettings", report: @escaping (Message?) -> Void
  ) throws {
    try self.init(
      bus, loop: loop, program: program, shells: TurningShell.all,
      processName: { SystemFile.line(of: "/proc/\($0)/comm") }, report: report)
  }

  init(
    _ bus: Bus, loop: EventLoop, program: String, shells: [TurningShell],
    processName: @escaping (Int32) -> String?, report: @escaping (Message?) -> Void
  ) throws {
    self.bus = bus
    self.program = SettingsProgram(program, loop: loop)
    self.shells = shells
    self.processName = processName
    self.report = report
    subscriptions = try shells.map { shell in
      try bus.watchName(shell.service) { [weak self] in self?.notice(shell, owner: $0) }
    }
  }

  package func stop() {
    subscriptions = []
    watch?.stop()
    watch = nil
    program.cancel()
  }

  private func notice(_ other: TurningShell, owner: String?) {
    guard let owner else {
      if shell?.name == other.name { adopt(nil) }
      return
    }
    guard let process = other.process else { return adopt(other) }
    try? bus.call(.driver, "GetConnectionUnixProcessID", [.string(owner)], timeout: .seconds(4)) {
      [weak self] answer in
      guard let self, let id: UInt32 = try? answer.get().read(0),
        processName(Int32(bitPattern: id)) == process
      else { return }
      adopt(other)
    }
  }

  private func adopt(_ shell: TurningShell?) {
    self.shell = shell
    watch?.stop()
    watch = shell.flatMap { shell in
      try? SettingsWatch(bus, key: shell.path) { [weak self] in self?.read() }
    }
    read()
  }

  private func read() {
    guard let shell else { return tell(nil) }
    guard !isReading else { return isStale = true }
    isReading = true
    isStale = false
    program.run(["get", shell.schema, "orientation-lock"]) { [weak self] answer in
      guard let self else { return }
      isReading = false
      let isAnother = self.shell?.name != shell.name
      // One whose lock cannot be read has none that is off.
      if !isAnother { tell((try? answer.get()) == "false" ? shell.advice : nil) }
      if isAnother || isStale { read() }
    }
  }

  private func tell(_ message: Message?) {
    guard message != told else { return }
    told = message
    report(message)
  }
}
