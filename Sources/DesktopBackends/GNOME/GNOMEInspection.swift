// SPDX-License-Identifier: MIT

import Autorotation
package import System

/// What doctor tells of GNOME.
extension GNOMEBackend {
  /// Waits 2 s at most, if GNOME is stuck.
  /// - Throws: `Message`.
  package static func inspect(
    settings: DisplaySettings = DisplaySettings(), bus kind: Bus.Kind = .session
  ) throws -> DisplayInspection {
    let questions = try GNOMEQuestions(kind)
    let state = try questions.state()
    var mounts = KernelMounts()
    return DisplayInspection(
      system: questions.system, outputs: state.outputs { mounts.mount(of: $0) },
      panel: state.panelName(chosen: settings.output),
      touch: [
        Message(
          .touchFollows, "touchscreens and pens follow the picture by themselves: GNOME sees to that")
      ],
      focus: questions.focus, ownRotation: questions.ownRotation(settings))
  }
}

/// Questions that wait for their answers, with one limit for all.
private struct GNOMEQuestions {
  private static let patience: Int64 = 1_800_000_000
  private static let extensions = BusTarget(
    service: "org.gnome.Shell", path: "/org/gnome/Shell", interface: "org.gnome.Shell.Extensions")

  private let bus: Bus
  private let end = EventLoop.now + patience

  init(_ kind: Bus.Kind) throws(Message) {
    do throws(BusError) {
      bus = try Bus(kind)
    } catch {
      throw Message.noSessionBus(error)
    }
  }

  func state() throws(Message) -> MonitorState {
    let answer = Result { () throws(BusError) in try ask(DisplayConfigClient.target, "GetCurrentState") }
    let state = answer.mapError { Message.gnome($0, to: "GetCurrentState") }.flatMap(
      DisplayConfigClient.state)
    return try state.get()
  }

  /// `nil` without the Shell: then it is Mutter on its own, or another shell on top of it.
  private var shellVersion: String? { try? property("ShellVersion", of: ShellVersion.target) }

  var system: Phrase { shellVersion.map { "GNOME Shell \($0)" } ?? "Mutter" }

  var focus: Message {
    let isTold = (try? ask(.driver, "GetNameOwner", [.string(ShellFocus.target.service)])) != nil
    guard !isTold else {
      return Message(.focusKnown, "the extension \(ShellFocus.uuid) tells which application has focus")
    }
    let what: Phrase = "which application has focus is not known, so that rules for applications do nothing"
    let enabling: Phrase = "run `gnome-extensions enable \(ShellFocus.uuid)`"
    guard Self.runsExtension(shellVersion) else {
      return Message(
        .focusUnknown, what, next: "use GNOME 45 or newer, whose Shell can run the extension that tells it")
    }
    guard isInstalled else {
      return Message(
        .focusUnknown, what,
        next: "install autorotate for all users, or copy packaging/gnome-shell/\(ShellFocus.uuid) to "
          + "~/.local/share/gnome-shell/extensions; then log in anew, and \(enabling)")
    }
    return Message(
      .focusUnknown, "\(what): the extension that tells it is installed, and does not run", next: enabling)
  }

  /// The extension is a module, which older ones do not know. An unknown one is given the chance.
  private static func runsExtension(_ version: String?) -> Bool {
    let major = version.flatMap { Int($0.prefix { $0.isNumber }) }
    return major.map { $0 >= 45 } ?? true
  }

  private var isInstalled: Bool {
    let answer = try? ask(Self.extensions, "GetExtensionInfo", [.string(ShellFocus.uuid)])
    let information: [String: Value]? = try? answer?.read(0)
    return information?.isEmpty == false
  }

  func ownRotation(_ settings: DisplaySettings) -> Message? {
    let isManaged: Bool? = try? property("PanelOrientationManaged", of: DisplayConfigClient.target)
    guard isManaged == true else { return Message(.desktopYields, "GNOME leaves the picture alone now") }
    if settings.takesOver {
      return Message(
        .desktopYields, "GNOME's own rotation is switched off while autorotate runs")
    }
    if SleepingRotation.isThere(in: shellVersion, KernelInput.all()) { return SleepingRotation.message }
    return Message(
      .desktopTurns, "GNOME turns the picture by itself",
      next: "set `take-over = true` in the [display] settings to leave it to autorotate")
  }

  private func property<T: ReadableFromBus>(_ name: String, of target: BusTarget) throws(BusError) -> T {
    try ask(target.properties, "Get", [.string(target.interface), .string(name)]).read(0)
  }

  private func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = []
  ) throws(BusError) -> [Value] {
    let left = end - EventLoop.now
    guard left > 0 else { throw BusError(BusError.timeout, "no time left to ask for \(member)") }
    return try bus.callAndWait(
      target, member, arguments, timeout: .nanoseconds(left), startsService: false)
  }
}
