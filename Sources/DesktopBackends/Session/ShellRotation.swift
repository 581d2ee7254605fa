// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A shell with an auto-rotation of its own, on a display system that autorotate can rotate, too. The shell rotates
/// while its orientation lock is off; while it is on, autorotate does. Written from the shells' sources;
/// neither was run.
nonisolated package struct RotatingShell: Sendable {
  /// For the user.
  package var name: String
  /// Its name on the session bus.
  var service: String
  /// The name of its process, where other programs may own that bus name, too.
  var process: String?
  /// The GSettings schema of `orientation-lock`.
  var schema: String

  static let all = [
    RotatingShell(
      name: MutterDesktop.cinnamon.name, service: "org.Cinnamon", schema: MutterDesktop.cinnamon.lockSchema),
    // It offers Mutter's interface, though its compositor is phoc.
    RotatingShell(
      name: "phosh", service: MutterDesktop.gnome.service, process: "phosh",
      schema: MutterDesktop.gnome.lockSchema),
  ]

  /// The shells that rotate now. Waits for the replies.
  /// - Parameter bus: the session bus.
  @MainActor
  package static func rotating(on bus: Bus, program: String = "gsettings") -> [Self] {
    guard let loop = try? EventLoop() else { return [] }
    let settings = SettingsProgram(program, loop: loop)
    return all.filter { shell in
      shell.isRunning(on: bus) && settings.orientationLock(in: shell.schema) == false
    }
  }

  @MainActor
  private func isRunning(on bus: Bus) -> Bool {
    guard let id = bus.processID(of: service) else { return false }
    return process == nil || SystemFile.line(of: "/proc/\(id)/comm") == process
  }

  var advice: Message {
    Message(
      .desktopRotates, "\(name) rotates the screen automatically",
      next: "to let autorotate do it, switch on the orientation lock of \(name)")
  }
}

/// Reports whether one of these shells rotates the screen.
package final class ShellRotation {
  private let bus: Bus
  private let program: SettingsProgram
  private let shells: [RotatingShell]
  private let processName: (Int32) -> String?
  private let report: (Message?) -> Void
  private var subscriptions: [Subscription] = []
  private var settingsWatch: Subscription?
  private var shell: RotatingShell?
  private lazy var reader = CoalescedReader { [weak self] finish in self?.read(finish) }
  private var reported: Message? { didSet { if reported != oldValue { report(reported) } } }

  /// - Parameters:
  ///   - bus: the session bus.
  ///   - program: the program that reads GSettings.
  ///   - report: receives the value for `desktopRotates` after each change; called from the loop.
  package init(
    _ bus: Bus, loop: EventLoop, program: String = "gsettings", shells: [RotatingShell] = RotatingShell.all,
    processName: @escaping (Int32) -> String? = { SystemFile.line(of: "/proc/\($0)/comm") },
    report: @escaping (Message?) -> Void
  ) throws {
    self.bus = bus
    self.program = SettingsProgram(program, loop: loop)
    self.shells = shells
    self.processName = processName
    self.report = report
    subscriptions = try shells.map { shell in
      try bus.watchName(shell.service) { [weak self] in self?.ownerChanged(of: shell, to: $0) }
    }
  }

  /// Reports that no shell rotates the screen, since the bus has ended.
  package func stop() {
    subscriptions = []
    watch(nil)
  }

  private func ownerChanged(of other: RotatingShell, to owner: String?) {
    guard let owner else {
      if shell?.name == other.name { watch(nil) }
      return
    }
    guard let process = other.process else { return watch(other) }
    bus.requestProcessID(of: owner, timeout: .seconds(4)) { [weak self] id in
      guard let self, let id, processName(Int32(bitPattern: id)) == process else { return }
      watch(other)
    }
  }

  private func watch(_ shell: RotatingShell?) {
    self.shell = shell
    settingsWatch = shell.flatMap { shell in
      try? SettingsWatch.start(bus, schema: shell.schema) { [weak self] in self?.reader() }
    }
    if shell == nil { reported = nil } else { reader() }
  }

  private func read(_ finish: @escaping () -> Void) {
    guard let shell else { return finish() }
    program.run(["get", shell.schema, "orientation-lock"]) { [weak self] answer in
      // A lock that cannot be read counts as on.
      let advice = (try? answer.get()) == "false" ? shell.advice : nil
      if self?.shell?.name == shell.name { self?.reported = advice }
      finish()
    }
  }
}
