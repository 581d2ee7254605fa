// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Hyprland's two sockets: one where each connection is a request, and one for events. Written from its source, 0.41
/// to 0.57; it does not run without a GPU.
///
/// Its events report neither a monitor's rotation or power, which Wayland does, nor the parent of a dialog, nor touch
/// input.
final class HyprlandDialect: CompositorDialect {
  nonisolated static let profile = CompositorProfile(
    name: "Hyprland", programs: ["hyprland", ".hyprland-wrapp"], variable: "HYPRLAND_INSTANCE_SIGNATURE",
    socketPrefix: "hypr", version: "hyprctl version", listing: "hyprctl monitors", reload: "hyprctl reload",
    switchingOn: { _ in Phrase("in the Hyprland configuration") },
    nextStep: {
      Phrase(
        "give \($0) a monitor rule of its own in the Hyprland configuration, and check `hyprctl configerrors`"
      )
    },
    isForbiddenInName: { $0 == "," || $0 == ";" || $0 == "/" || $0.isDisruptive },
    // Hyprland reports the reload before it applies the monitors' rules; a busy one draws some time later.
    settleTime: 4_000_000_000,
    // A busy Hyprland draws the frame that applies the rules some time later. With the checks, 2 s in all.
    maximumRepetitions: 2)

  var channel: any CompositorChannel { exchanges }
  private let exchanges: CompositorExchanges
  private let loop: EventLoop
  private var touch: HyprlandTouch
  private(set) var disabling: InputDisabling?
  private let wayland: WaylandConnection?
  private(set) var watch: OutputWatch?
  private var language = HyprlandLanguage.keywords
  /// The language of the last rotation request.
  private var lastLanguage = HyprlandLanguage.keywords
  /// Monitors without a rule of their own, which a rule with the transform alone does not change.
  private var needFullRule: Set<String> = []
  private var changed: (CompositorChanges) -> Void = { _ in }
  private var isEnding = false
  var watchesTitles = false
  var settings: DisplaySettings
  /// The address of the focused window, "" for none; `nil` until it is known.
  private var focused: String?

  /// Connects to the compositor of this session.
  convenience init(_ context: CompositorContext) throws {
    try self.init(place: HyprlandPlace.find(), wayland: try? WaylandConnection(), context)
  }

  /// - Parameter wayland: reports changes of power and transform, which the events do not.
  init(
    place: HyprlandPlace, wayland: WaylandConnection? = nil, _ context: CompositorContext,
    kept: StateFile = StateFile(.runtime, "hyprland-input"),
    kernelDirectory: String = KernelInput.usualDirectory,
    touchscreens: MappedTouchscreens = MappedTouchscreens()
  ) throws {
    exchanges = try CompositorExchanges(at: place.requests, ending: .close, events: place.events, context)
    loop = context.loop
    self.wayland = wayland
    settings = context.settings
    touch = HyprlandTouch(touchscreens: touchscreens)
    // Hyprland does not report the setting `enabled`, and drops it when it reloads its configuration.
    disabling = InputDisabling(
      kept: kept, kernelDirectory: kernelDirectory, note: context.note,
      .init(
        disabled: "false", others: ["true"],
        set: { [weak self] in self?.enable($1, $0 == "true", ended: $2) }, desktop: "Hyprland",
        next: { _ in Phrase("check whether `hyprctl devices` lists it") }))
  }

  // MARK: Answers and events

  func outcome(_ answer: [UInt8]) -> Result<Void, Message> { HyprlandLanguage.outcome(answer) }

  func start(_ changed: @escaping (CompositorChanges) -> Void) {
    self.changed = changed
    watch = wayland.flatMap { try? OutputWatch($0, on: loop, watchesPower: true) { changed(.outputs) } }
    askForLanguage()
  }

  func configurationWasRead() {
    needFullRule = []
    disabling?.configurationWasRead()
    askForLanguage()
  }

  private func askForLanguage() {
    channel.ask(HyprlandLanguage.question) { [weak self] answer in
      if case .success(let bytes) = answer { self?.language = HyprlandLanguage(answer: bytes) }
    }
  }

  func changes(_ event: CompositorMessage) -> CompositorChanges {
    let words = String(decoding: event.payload.prefix(64), as: UTF8.self).split(separator: ">", maxSplits: 1)
    let address = words.dropFirst().first?.drop { $0 == ">" }.prefix { $0 != "," } ?? ""
    if words.first == "activewindowv2" { focused = String(address) }
    switch words.first {
    case "activewindowv2", "fullscreen", "closewindow", "movewindow", "changefloatingmode", "workspace",
      "focusedmon", "activespecial":
      return .focus
    // Other windows may change their titles without pause.
    case "windowtitlev2" where watchesTitles && (focused ?? String(address)) == address: return .focus
    case "monitoradded", "monitorremoved": return [.outputs, .devices]
    case "configreloaded": return .configuration
    default: return []
    }
  }

  // MARK: Outputs

  let outputsQuestion = CompositorMessage("j/monitors all")

  func outputs(_ value: JSONValue) -> [CompositorOutput]? {
    value.elements.compactMap(CompositorOutput.init(hyprland:))
  }

  // MARK: Rotating

  func step(
    _ change: LayoutChange, _ goal: LayoutChange.Goal, among outputs: [CompositorOutput]
  ) -> CompositorStep {
    lastLanguage = language
    let unrotated = change.unrotated(goal, in: outputs).filter { change.names.contains($0.name) }
    if goal == .after, language == .keywords, needFullRule.isDisjoint(with: change.names), !unrotated.isEmpty
    {
      return CompositorStep(
        requests: [HyprlandLanguage.transformOnly(unrotated), HyprlandLanguage.frame], rotatesOnly: true)
    }
    let unmet = change.unmet(goal, in: outputs)
    return CompositorStep(requests: unmet.isEmpty ? [] : [language.rules(unmet), HyprlandLanguage.frame])
  }

  func selectAlternative(_ outputs: [String], after refusal: Message?) -> Bool {
    // The configuration's language may have changed. Its answer comes before that of the next request.
    if refusal != nil { askForLanguage() }
    guard language == lastLanguage else { return true }
    guard language == .keywords, !needFullRule.isSuperset(of: outputs) else { return false }
    needFullRule.formUnion(outputs)
    return true
  }

  // MARK: Focus

  func readFocus(on outputs: [CompositorOutput], before: Window?, then: @escaping (FocusAnswer) -> Void) {
    ask(CompositorMessage("j/activewindow")) { [self] answer in
      // As in events, without "0x".
      if case .success(let value) = answer { focused = String(value["address"]?.string?.dropFirst(2) ?? "") }
      let window = answer.map { HyprlandFocus.window($0, among: outputs, withTitle: watchesTitles) }
      guard case .success(nil) = window, let before else { return then(window) }
      ask(CompositorMessage("j/activeworkspace")) { answer in
        then(answer.map { HyprlandFocus.isBehind(before, $0) ? before : nil })
      }
    }
  }

  // MARK: Input devices

  func readDevices(then: @escaping (Result<Void, Message>) -> Void) {
    ask(CompositorMessage("j/devices")) { [self] answer in
      then(
        answer.map {
          touch.use($0)
          disabling?.settle(hyprland: $0)
        })
    }
  }

  private func enable(_ device: String, _ isEnabled: Bool, ended: @escaping (Message?) -> Void) {
    let request = language.enable(device, isEnabled)
    if isEnding {
      // If this one gets no answer, the others will not either.
      isEnding = exchanges.sendBeforeExit(request)
      return ended(isEnding ? nil : .silence)
    }
    run(request) { [weak self] in
      ended($0.failure)
      // The next reading repeats it, and no event may come.
      if $0.failure?.code == .displaySilent { self?.changed(.devices) }
    }
  }

  func touchDevices(among outputs: [CompositorOutput]) -> [CompositorTouch.Device] {
    touch.devices(among: outputs, settings, language)
  }

  func stop() {
    isEnding = true
    disabling?.stop()
  }

  // MARK: Doctor

  let inspectionQuestions = ["j/version", "j/devices", "/eval return 1"].map { CompositorMessage($0) }

  func inspection(_ answers: [[UInt8]], of outputs: [CompositorOutput]) -> DisplayInspection {
    let version = JSONValue(answers[0])
    let names = [version?["version"], version?["tag"]].compactMap { $0?.string }
    JSONValue(answers[1]).map { touch.use($0) }
    let file = HyprlandLanguage(answer: answers[2]) == .lua ? "hyprland.lua" : "hyprland.conf"
    return inspection(
      system: "\(Phrase.version(names.first { !$0.isEmpty }, of: "Hyprland")), configured by \(file)",
      of: outputs)
  }
}

/// The sockets of a Hyprland instance: HYPRLAND_INSTANCE_SIGNATURE names their directory, which is below
/// XDG_RUNTIME_DIR.
struct HyprlandPlace {
  var directory: String
  /// Connected to the events' socket: a connection to the other would make Hyprland wait for a request.
  var events: CompositorSocket

  var requests: String { directory + "/.socket.sock" }

  static func find(_ search: SocketSearch = SocketSearch()) throws(Message) -> Self {
    let events = "/.socket2.sock"
    // None without XDG_RUNTIME_DIR.
    let parents = [search.runtimeDirectory].compactMap { $0.map { "\($0)/hypr" } }
    let others = parents.flatMap { search.entries(of: $0) { _ in true } }.map { $0 + events }
    let (path, socket) = try search.find(
      HyprlandDialect.profile, named: { signature in parents.map { "\($0)/\(signature)\(events)" } },
      others: others, value: { String($0.dropLast(events.count).split(separator: "/").last ?? "") })
    return Self(directory: String(path.dropLast(events.count)), events: socket)
  }
}
