// SPDX-License-Identifier: MIT

import Autorotation
package import System

/// What doctor shows of GNOME and Cinnamon.
extension GNOMEBackend {
  /// - Parameter timeout: for all answers of the desktop, if it hangs; in nanoseconds.
  static func inspect(
    _ desktop: MutterDesktop = .gnome, settings: DisplaySettings = DisplaySettings(),
    bus kind: Bus.Kind = .session, timeout: Int64 = 1_800_000_000
  ) throws -> DisplayInspection {
    let questions = try GNOMEQuestions(desktop, kind, until: EventLoop.now + timeout)
    let state = try questions.state()
    var mounts = KernelPanelMounts()
    return DisplayInspection(
      system: questions.system, outputs: state.outputs { mounts.mount(of: $0) },
      touch: questions.touch(state, settings), focus: questions.focus,
      ownRotation: questions.ownRotation(settings))
  }
}

/// Blocking requests with one time limit for all.
private struct GNOMEQuestions {
  private static let extensions = BusTarget(
    service: "org.gnome.Shell", path: "/org/gnome/Shell", interface: "org.gnome.Shell.Extensions")

  private let desktop: MutterDesktop
  private let bus: Bus
  private let end: Int64

  init(_ desktop: MutterDesktop, _ kind: Bus.Kind, until end: Int64) throws(Message) {
    self.desktop = desktop
    self.end = end
    do throws(BusError) {
      bus = try Bus(kind)
    } catch {
      throw desktop.noSessionBus(error)
    }
  }

  func state() throws(Message) -> MonitorState {
    let answer = Result { () throws(BusError) in try ask(desktop.displayConfig, "GetCurrentState") }
    return try answer.mapError { desktop.failure($0, of: "GetCurrentState") }.flatMap(desktop.state).get()
  }

  /// `nil` without the Shell: then Mutter runs on its own, or under another shell.
  private var shellVersion: String? { try? property("ShellVersion", of: ShellVersion.target) }

  var system: Phrase {
    desktop.kind == .gnome ? shellVersion.map { "GNOME Shell \($0)" } ?? "Mutter" : "\(desktop.name)"
  }

  var focus: Message {
    let isReported = (try? ask(.driver, "GetNameOwner", [.string(ShellFocus.target.service)])) != nil
    guard !isReported else {
      return Message(.focusKnown, "the extension \(ShellFocus.uuid) reports which app has focus")
    }
    let what: Phrase = "the focused app is unknown, so app rules have no effect"
    guard desktop.kind == .gnome else {
      return Message(.focusUnknown, what, next: "log in to \(desktop.name) on X11 if you need them")
    }
    let enabling: Phrase = "run `gnome-extensions enable \(ShellFocus.uuid)`"
    // The extension is an ES module, which older versions cannot load. An unknown version may.
    guard ShellVersion.major(shellVersion) ?? 45 >= 45 else {
      return Message(
        .focusUnknown, what, next: "use GNOME 45 or newer, which can run the extension that reports it")
    }
    guard isInstalled else {
      return Message(
        .focusUnknown, what,
        next:
          "install the package gnome-shell-extension-autorotate, or copy packaging/gnome-shell/\(ShellFocus.uuid) "
          + "to ~/.local/share/gnome-shell/extensions; then log in again, and \(enabling)")
    }
    return Message(
      .focusUnknown, "\(what): the extension that reports it is installed but not running", next: enabling)
  }

  private var isInstalled: Bool {
    let answer = try? ask(Self.extensions, "GetExtensionInfo", [.string(ShellFocus.uuid)])
    let information: [String: Value]? = try? answer?.read(0)
    return information?.isEmpty == false
  }

  func touch(_ state: MonitorState, _ settings: DisplaySettings) -> [Message] {
    let devices = MappedTouchscreens().devices()
    guard !devices.isEmpty, let loop = try? EventLoop() else {
      return [Message(.touchFollows, "\(desktop.name) rotates touchscreens and pens with the screen")]
    }
    let placement = TouchPlacement(outputs: state.outputs { _ in .topUp }, settings: settings)
    let program = SettingsProgram("gsettings", loop: loop)
    return devices.map { device in
      let key = desktop.touchKey(of: device)
      let stored = program.readAndWait(["get"] + key).flatMap(state.monitors.output(ofTouchValue:))
      return placement.remark(on: device, named: device.name, stored: stored, by: desktop.name) {
        state.monitors.touchCommand(key, mappingTo: $0)
      }
    }
  }

  func ownRotation(_ settings: DisplaySettings) -> Message? {
    guard isManaged else {
      return Message(.desktopYields, "\(desktop.name) does not rotate the screen now")
    }
    if settings.takesOver {
      return Message(.desktopYields, "\(desktop.name)'s own rotation is switched off while autorotate runs")
    }
    if isLocked { return MutterDesktop.lockedRotation }
    if StalledRotation.occurs(in: shellVersion, KernelInput.all()) { return StalledRotation.message }
    return desktop.rotationAdvice
  }

  private var isLocked: Bool {
    guard desktop.kind == .gnome, let loop = try? EventLoop() else { return false }
    return SettingsProgram("gsettings", loop: loop).orientationLock(in: desktop.lockSchema) == true
  }

  private var isManaged: Bool {
    guard desktop.kind == .gnome else {
      return RotatingShell.rotating(on: bus).contains { $0.name == desktop.name }
    }
    return (try? property("PanelOrientationManaged", of: desktop.displayConfig)) == true
  }

  private func property<T: ReadableFromBus>(_ name: String, of target: BusTarget) throws(BusError) -> T {
    try ask(target.properties, "Get", [.string(target.interface), .string(name)]).read(0)
  }

  private func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = []
  ) throws(BusError) -> [Value] {
    let left = end - EventLoop.now
    guard left > 0 else { throw BusError(BusError.timeout, "no time left to ask for \(member)") }
    return try bus.callAndWait(target, member, arguments, timeout: .nanoseconds(left))
  }
}

/// Extensions of GNOME Shell that rotate the screen.
nonisolated package enum GNOMEExtensions {
  private static let known = [
    "screen-rotate@shyzus.github.io", "screen-autorotate@kosmospredanie.yandex.ru", "touchup@mityax",
  ]

  /// The enabled ones, if GNOME Shell runs. Blocks.
  /// - Parameter bus: the session bus.
  @MainActor
  package static func rotating(on bus: Bus, program: String = "gsettings") -> [String] {
    guard (try? bus.callAndWait(.driver, "GetNameOwner", [.string("org.gnome.Shell")])) != nil,
      let loop = try? EventLoop(),
      let enabled = SettingsProgram(program, loop: loop).readAndWait([
        "get", "org.gnome.shell", "enabled-extensions",
      ])
    else { return [] }
    return known.filter { enabled.contains("'\($0)'") }
  }
}
