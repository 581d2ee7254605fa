// SPDX-License-Identifier: MIT

import Autorotation
import System

/// sway's IPC, which is i3's with additions: requests that are answered in order, and events in between.
///
/// Everything uses IPC, also what wlroots' protocols offer: they are broken for headless outputs in sway 1.7 and 1.8,
/// and cover neither touch mapping nor XWayland's dialogs. sway does not report touch input.
final class SwayDialect: CompositorDialect {
  nonisolated static let profile = CompositorProfile(
    name: "sway", programs: ["sway", ".sway-wrapped", "swayfx"], variable: "SWAYSOCK",
    socketPrefix: "sway-ipc.", version: "swaymsg -t get_version", listing: "swaymsg -t get_outputs",
    reload: "swaymsg reload", switchingOn: { Phrase("with `swaymsg output \($0.asArgument) enable`") },
    nextStep: { _ in Phrase("check the output of `swaymsg -t get_outputs`") },
    isForbiddenInName: { $0 == "\"" || $0 == "\\" || $0.isDisruptive },
    // Before 1.8 sway lists a disabled neighbour like an enabled one, but cannot move it.
    toleratesMisplacedNeighbours: true)

  var channel: any CompositorChannel { connection }
  private let connection: SwayConnection
  private let context: CompositorContext
  /// sway's process, if known.
  private let server: Int32?
  private var touch: SwayTouch
  private(set) var disabling: InputDisabling?
  private var isConfigurationKnown = false
  private var focus = SwayFocus()
  private(set) var applications: [[String]]?
  var watchesTitles = false
  var settings: DisplaySettings
  private let connectWayland: () -> WaylandConnection?
  private(set) var watch: OutputWatch?
  private var lastOutputs: [CompositorOutput] = []
  /// Whether sway sends output events; before 1.9 it does not.
  private(set) var reportsOutputs = false
  /// Its Wayland connection reports sizes, places and transforms.
  var reportsLayout: Bool { reportsOutputs || watch != nil }
  /// Headless outputs that accepted a rotation without effect, with the requests that revert it. Before 1.9, this is
  /// the only sign that they are off.
  private var ignoredRotations: [String: [CompositorMessage]] = [:]
  /// The places of outputs that autorotate has placed, and of disabled ones: sway restores them when the outputs come
  /// back, so they are laid out together with the active ones.
  private var placed: [String: CompositorOutput] = [:]

  /// Connects to the compositor of this session.
  convenience init(_ context: CompositorContext) throws {
    try self.init(SocketSearch().find(Self.profile).socket, context)
  }

  /// sway has just answered over its IPC: a compositor that is slower than this is another one. In nanoseconds.
  nonisolated private static let waylandTimeout: Int64 = 250_000_000

  /// - Parameter wayland: connects to sway's Wayland socket.
  init(
    _ socket: CompositorSocket, _ context: CompositorContext,
    wayland: @escaping () -> WaylandConnection? = { try? WaylandConnection(timeout: waylandTimeout) },
    kept: StateFile = StateFile(.runtime, "sway-input"), kernelDirectory: String = KernelInput.usualDirectory,
    touchscreens: MappedTouchscreens = MappedTouchscreens()
  ) throws {
    connection = try SwayConnection(socket, loop: context.loop, timeout: context.timeout)
    self.context = context
    connectWayland = wayland
    server = socket.listener
    settings = context.settings
    touch = SwayTouch(touchscreens: touchscreens)
    disabling = InputDisabling(
      kept: kept, kernelDirectory: kernelDirectory, note: context.note,
      .init(
        disabled: "disabled", others: ["enabled", "disabled_on_external_mouse"],
        set: { [weak self] state, device, ended in
          self?.run(SwayMessage(.runCommand, "input \"\(device)\" events \(state)")) { ended($0.failure) }
        }, desktop: "sway",
        next: { Phrase("try `\(SwayInput.command("events disabled", on: $0.identifier))`") }))
  }

  // MARK: Answers and events

  /// Success only if sway reports it for each command.
  func outcome(_ answer: [UInt8]) -> Result<Void, Message> {
    let results = JSONValue(answer)?.elements ?? []
    guard !results.isEmpty else { return .failure(.garbled("nothing")) }
    guard let failed = results.first(where: { $0["success"]?.bool != true }) else { return .success(()) }
    return .failure(.refusal(failed["error"]?.string ?? "no reason given"))
  }

  func start(_ changed: @escaping (CompositorChanges) -> Void) {
    connection.onLateAnswers = { [weak self] in
      self?.isConfigurationKnown = false
      changed([.outputs, .devices, .focus])
    }
    ask(SwayMessage(.getVersion)) { [weak self] answer in
      self?.touch.version = try? answer.get()
    }
    // One request each: an event that sway does not know, as 1.7 does not know `output`, would make the others fail.
    for event in [SwayMessage.Event.output, .workspace, .window, .input] {
      ask(SwayMessage(.subscribe, "[\"\(event)\"]")) { [weak self] answer in
        if event == .output, case .success(let value) = answer { self?.followOutputs(value, changed) }
      }
    }
  }

  private func followOutputs(_ answer: JSONValue, _ changed: @escaping (CompositorChanges) -> Void) {
    reportsOutputs = answer["success"]?.bool ?? false
    guard !reportsOutputs, watch == nil, let wayland = connectWayland(),
      server == nil || wayland.compositorProcess?.id == server
    else { return }
    // Without it fewer changes are reported.
    watch = try? OutputWatch(wayland, on: context.loop) { changed(.outputs) }
  }

  func changes(_ event: CompositorMessage) -> CompositorChanges {
    guard let kind = SwayMessage.Event(rawValue: event.type), let value = JSONValue(event.payload) else {
      return []
    }
    var changes = changes(kind, value["change"]?.string, value["container"])
    if !reportsOutputs, kind != .output, !ignoredRotations.isEmpty {
      revertIgnoredRotations()
      changes.insert(.outputs)
    }
    return changes
  }

  private func changes(
    _ event: SwayMessage.Event, _ change: String?, _ container: JSONValue?
  ) -> CompositorChanges {
    switch event {
    case .output: return .outputs
    case .input: return change == "added" || change == "removed" ? .devices : []
    case .workspace where change == "reload": return [.configuration, .focus]
    // The only event for a hotplug in 1.7.
    case .workspace where change != "focus" && change != "urgent" && change != "rename":
      return [.outputs, .focus]
    case .workspace: return .focus
    case .window where change == "title": return watchesTitles ? focus.titleChanges(container) : []
    case .window: return change != "mark" && change != "urgent" ? .focus : []
    case .shutdown: return []
    }
  }

  func configurationWasRead() {
    placed = [:]
    ignoredRotations = [:]
    isConfigurationKnown = false
  }

  // MARK: Outputs

  let outputsQuestion = SwayMessage(.getOutputs)

  func outputs(_ value: JSONValue) -> [CompositorOutput]? {
    let found = value.elements.compactMap(CompositorOutput.init(sway:))
    // sway has now applied what it had stored for them.
    if found != lastOutputs { ignoredRotations = [:] }
    keepPlaces(in: found)
    lastOutputs = found
    return found
  }

  private func keepPlaces(in found: [CompositorOutput]) {
    let before = lastOutputs.filter(\.isActive)
    for output in found {
      guard let earlier = before[output.name] else { continue }
      if output.isActive { moveDisabledNeighbours(beside: earlier, nowAt: output.rectangle, before) }
      if !output.isActive, placed[output.name] == nil { placed[output.name] = earlier }
    }
    for output in found where output.isActive && placed[output.name] != nil { placed[output.name] = output }
  }

  /// Another program has rotated an output, and has moved at most the active ones.
  private func moveDisabledNeighbours(
    beside output: CompositorOutput, nowAt new: ScreenRectangle, _ lit: [CompositorOutput]
  ) {
    guard output.rectangle.size != new.size else { return }
    let away = absent.filter { lit[$0.name] == nil }
    guard !away.isEmpty, let index = lit.firstIndex(of: output) else { return }
    let before = (lit + away).map(\.placedDisplay)
    var after = before
    after[index].rectangle = new
    let places = context.visited.places(of: before, becoming: after, atOrigin: false)
    for (each, place) in zip(away, places.dropFirst(lit.count)) { placed[each.name]?.rectangle = place }
  }

  // MARK: Rotating

  /// All in one message, so that no frame is drawn in between.
  func step(
    _ change: LayoutChange, _ goal: LayoutChange.Goal, among outputs: [CompositorOutput]
  ) -> CompositorStep {
    let (old, new) = goal == .after ? (change.before, change.after) : (change.after, change.before)
    // If one moves, all get a position, since sway puts outputs without one to the right of the others.
    let needsPlaces = change.movesNeighbours
    let commands = zip(old, new).compactMap { old, new -> String? in
      let transform = new.isRotated(like: old) ? "" : " transform \(new.swayTransform)"
      let place = needsPlaces ? " position \(new.rectangle.x) \(new.rectangle.y)" : ""
      return transform.isEmpty && place.isEmpty ? nil : "output \"\(new.name)\"\(transform)\(place)"
    }
    return CompositorStep(
      requests: commands.isEmpty ? [] : [SwayMessage(.runCommand, commands.joined(separator: ", "))])
  }

  /// sway keeps their places until they come back.
  var absent: [CompositorOutput] { placed.values.sorted { $0.name < $1.name } }

  func changeWasApplied(_ change: LayoutChange) {
    guard change.movesNeighbours else { return }
    for output in change.after { placed[output.name] = output }
  }

  /// Other outputs than headless ones report that they are off. They ignore a rotation if sway cannot set a mode, as
  /// during a switch of virtual terminals; sway has stored it, and would apply it at any time.
  func rotationWasIgnored(_ outputs: [String], undoing: [CompositorMessage]) {
    let headless = outputs.filter { $0.hasPrefix("HEADLESS-") }
    guard !reportsOutputs, !headless.isEmpty else { return revert(undoing) }
    for output in headless { ignoredRotations[output] = undoing }
  }

  var presumedOff: Set<String> { Set(ignoredRotations.keys) }

  /// An output may be on again, and must not apply the earlier request then.
  private func revertIgnoredRotations() {
    revert(ignoredRotations.values.flatMap(\.self))
    ignoredRotations = [:]
  }

  private func revert(_ undoing: [CompositorMessage]) {
    for request in undoing { send(request) }
  }

  // MARK: Focus

  func readFocus(on outputs: [CompositorOutput], before: Window?, then: @escaping (FocusAnswer) -> Void) {
    if let window = focus.retitled(before) { return then(.success(window)) }
    focus.isBeingRead = true
    ask(SwayMessage(.getTree)) { [self] answer in
      focus.isBeingRead = false
      let tree = answer.map { SwayTree(root: $0) }
      applications = (try? tree.get())?.views.map(\.identifiers)
      then(tree.map { focus.window(in: $0, withTitle: watchesTitles) })
    }
  }

  // MARK: Input devices

  func readDevices(then: @escaping (Result<Void, Message>) -> Void) {
    guard !isConfigurationKnown else { return readInputs(then: then) }
    ask(SwayMessage(.getConfig)) { [self] answer in
      isConfigurationKnown = true
      touch.configuration = SwayConfiguration((try? answer.get())?["config"]?.string ?? "")
      readInputs(then: then)
    }
  }

  private func readInputs(then: @escaping (Result<Void, Message>) -> Void) {
    let sent = disabling?.sent
    ask(SwayMessage(.getInputs)) { [self] answer in
      guard case .success(let value) = answer else { return then(answer.map { _ in }) }
      let inputs = value.elements.compactMap(SwayInput.init)
      touch.inputs = inputs
      if sent != disabling?.sent { return readInputs(then: then) }
      let known = disabling?.kernelDevices ?? []
      disabling?.reconcile(inputs.compactMap { SwitchableInput($0, among: known) })
      then(.success(()))
    }
  }

  func touchDevices(among outputs: [CompositorOutput]) -> [CompositorTouch.Device] {
    touch.devices(among: outputs.map(\.output), settings)
  }

  func stop() {
    disabling?.stop()
    revertIgnoredRotations()
    connection.awaitAnswers(nanoseconds: Self.exitTimeout)
  }

  /// sway drops requests of a client that has disconnected; in nanoseconds.
  private static let exitTimeout: Int64 = 250_000_000

  // MARK: Doctor

  let inspectionQuestions = [SwayMessage(.getVersion), SwayMessage(.getConfig), SwayMessage(.getInputs)]

  func inspection(_ answers: [[UInt8]], of outputs: [CompositorOutput]) -> DisplayInspection {
    let values = answers.map { JSONValue($0) }
    touch.version = values[0]
    touch.configuration = SwayConfiguration(values[1]?["config"]?.string ?? "")
    touch.inputs = (values[2]?.elements ?? []).compactMap(SwayInput.init)
    return inspection(
      system: .version(values[0]?["human_readable"]?.string, of: values[0]?["variant"]?.string ?? "sway"),
      of: outputs)
  }
}
