// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// Keeps touchscreens and pens on the panel: sway turns what they say with the output that they are mapped to,
/// and stretches it over the whole layout while they are mapped to none.
final class SwayTouch {
  /// Who maps a device.
  enum Mapping: Equatable {
    case byConfiguration
    /// By WL_OUTPUT, or (since 1.10.1) a built-in touchscreen to the one built-in output.
    case bySway
    case needed

    func remark(on input: SwayInput, _ panel: String?) -> DisplayInspection.Remark {
      switch (self, panel) {
      case (.byConfiguration, _):
        .init("“\(input.name)” lies where the sway configuration maps it")
      case (.bySway, _): .init("“\(input.name)” is mapped to its output by sway itself")
      case (.needed, let panel?): .init("“\(input.name)” is mapped to \(panel) while autorotate runs")
      case (.needed, nil):
        .init(
          "“\(input.name)” is mapped to no output, since none is known to be the panel",
          next: "name the panel as `output` in the [display] settings")
      }
    }
  }

  /// What sway takes for built-in panels.
  private static let builtIn = ["eDP-", "LVDS-", "DSI-"]

  private let connection: SwayConnection
  private let note: (String) -> Void
  var settings: DisplaySettings
  private var configuration = SwayConfiguration()
  private var inputs: [SwayInput] = []
  private var builtInOutputs = 0
  /// `nil` as long as it is not known.
  var version: SwayVersion?
  /// The output that each device lies on by our word, by its identifier.
  private var mapped: [String: String] = [:]
  private var complained: Set<String> = []
  private let touchscreens: MappedTouchscreens

  /// - Parameter touchscreens: what the device manager knows of them.
  init(
    _ connection: SwayConnection, settings: DisplaySettings,
    touchscreens: MappedTouchscreens = MappedTouchscreens(panel: ""), note: @escaping (String) -> Void
  ) {
    self.touchscreens = touchscreens
    self.connection = connection
    self.settings = settings
    self.note = note
  }

  /// sway has read its configuration, and forgotten what it was told before.
  func use(_ configuration: SwayConfiguration) {
    self.configuration = configuration
    mapped = [:]
  }

  func use(_ inputs: [SwayInput]) {
    self.inputs = inputs
    let present = Set(inputs.map(\.identifier))
    mapped = mapped.filter { present.contains($0.key) }
  }

  func use(_ outputs: [CompositorOutput]) {
    builtInOutputs = outputs.count { output in Self.builtIn.contains(where: output.name.hasPrefix) }
  }

  /// Maps what is not mapped yet, and lets go what is not to follow any more.
  /// - Parameter outputs: all; the panel is one of them.
  func follow(_ panel: CompositorOutput?, among outputs: [CompositorOutput]) {
    use(outputs)
    guard let panel = panel.flatMap({ $0.isActive && !$0.isDark ? $0.name : nil }) else { return }
    let wanted = devices.filter { $0.mapping == .needed }.map(\.input)
    for input in wanted where mapped[input.identifier] != panel { map(input, to: panel) }
    let identifiers = Set(wanted.map(\.identifier))
    for identifier in mapped.keys where !identifiers.contains(identifier) { release(identifier) }
  }

  /// Those that are to follow the panel.
  var devices: [(input: SwayInput, mapping: Mapping)] {
    let known = touchscreens.devices()
    return inputs.compactMap { input in
      let facts = known.first { $0.name == input.name }
      guard input.isWanted(by: settings, isDirect: facts?.isDirect) else { return nil }
      return (input, mapping(of: input, facts))
    }
  }

  private func mapping(of input: SwayInput, _ facts: MappedTouchscreens.Device?) -> Mapping {
    if configuration.maps(input) { return .byConfiguration }
    guard let facts else { return .needed }
    if facts.output != nil { return .bySway }
    let findsIt = version?.mapsBuiltInTouchscreens ?? false
    return findsIt && facts.isWiredIn && builtInOutputs == 1 ? .bySway : .needed
  }

  private func map(_ input: SwayInput, to panel: String) {
    mapped[input.identifier] = panel
    connection.run("input \"\(input.identifier)\" map_to_output \"\(panel)\"") { [weak self] result in
      if case .failure(let reason) = result { self?.complain(input, panel, reason) }
    }
  }

  private func complain(_ input: SwayInput, _ panel: String, _ reason: CompositorFailure) {
    // Tried again when something about devices or outputs changes.
    mapped[input.identifier] = nil
    guard complained.insert(input.identifier).inserted else { return }
    note(
      localized(
        "sway does not map “\(input.name)” to \(panel) (\(reason.phrase)), so it may not follow the picture: "
          + "try `swaymsg input \(input.identifier) map_to_output \(panel)`"))
  }

  private func release(_ identifier: String) {
    mapped[identifier] = nil
    connection.run("input \"\(identifier)\" map_to_output *") { _ in }
  }

  /// Lets go what we mapped; not while the picture is turned, which then stays so, and touch would no longer
  /// fit it.
  func stop(_ panel: CompositorOutput?) {
    guard panel?.turn == DisplayTransform.none, !mapped.isEmpty else { return }
    for identifier in mapped.keys { release(identifier) }
    connection.awaitAnswers(nanoseconds: Self.patienceAtEnd)
  }

  /// sway forgets what it was sent by somebody who has left; in nanoseconds.
  private static let patienceAtEnd: Int64 = 250_000_000
}
