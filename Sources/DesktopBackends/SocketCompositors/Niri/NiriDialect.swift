// SPDX-License-Identifier: MIT

import Autorotation
import System

/// niri's IPC: a line of JSON for each request and each event. Written from its source, 0.1.10 to 26.04; it does not
/// run without a GPU.
///
/// niri rotates touchscreens with the output that they are mapped to or the first, and pens only if they are mapped. It
/// reports neither rotations of outputs, nor the parent of a dialog, nor touch input.
final class NiriDialect: CompositorDialect {
  nonisolated static let profile = CompositorProfile(
    name: "niri", programs: ["niri", ".niri-wrapped"], variable: "NIRI_SOCKET", socketPrefix: "niri.",
    version: "niri msg version", listing: "niri msg outputs", reload: "niri msg action load-config-file",
    switchingOn: { Phrase("with `niri msg output \($0.asArgument) on`") },
    nextStep: { Phrase("check whether `niri msg output \($0.asArgument) transform 90` works") },
    tracksFocus: true)

  let channel: any CompositorChannel
  private let touchscreens: MappedTouchscreens
  private var focus = NiriFocus()
  var watchesTitles = false
  var settings: DisplaySettings

  /// Connects to the compositor of this session.
  convenience init(_ context: CompositorContext) throws {
    let (path, socket) = try SocketSearch().find(Self.profile)
    try self.init(path: path, socket: socket, context)
  }

  /// - Parameter socket: connected to the path.
  init(
    path: String, socket: CompositorSocket, _ context: CompositorContext,
    touchscreens: MappedTouchscreens = MappedTouchscreens()
  ) throws {
    self.touchscreens = touchscreens
    settings = context.settings
    channel = try CompositorExchanges(
      at: path, ending: .line, events: socket, sending: "\"EventStream\"\n", context)
  }

  /// - Parameter answer: one line, `{"Ok": …}` or `{"Err": "…"}`.
  func value(_ answer: [UInt8]) -> Result<JSONValue, Message> {
    guard let reply = JSONValue(answer) else { return .failure(.garbled("it is not JSON")) }
    if let value = reply["Ok"] { return .success(value) }
    return .failure(reply["Err"]?.string.map { .refusal($0) } ?? .garbled("neither Ok nor Err"))
  }

  func outcome(_ answer: [UInt8]) -> Result<Void, Message> {
    value(answer).flatMap { value in
      switch value["OutputConfigChanged"]?.string {
      case "Applied": .success(())
      case "OutputWasMissing": .failure(.refusal("no such output"))
      default: .failure(.refusal("an answer to something else"))
      }
    }
  }

  func changes(_ event: CompositorMessage) throws(Message) -> CompositorChanges {
    guard let event = JSONValue(event.payload) else { throw .garbled("it is not JSON") }
    if let words = event["Err"]?.string { throw .refusal(words) }
    focus.update(event)
    if event["ConfigLoaded"] != nil { return [.configuration, .focus] }
    // The only event for a hotplug, and for a reload of the configuration before 25.11.
    return event["WorkspacesChanged"] == nil ? .focus : [.outputs, .focus]
  }

  // MARK: Outputs

  let outputsQuestion = CompositorMessage("\"Outputs\"\n")

  func outputs(_ value: JSONValue) -> [CompositorOutput]? {
    value["Outputs"]?.members.map { Self.output($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  private static func output(_ name: String, _ value: JSONValue) -> CompositorOutput {
    let modes = value["modes"]?.elements ?? []
    let current = value["current_mode"]?.int.flatMap { modes.indices.contains($0) ? modes[$0] : nil }
    let mode = current ?? modes.first { $0["is_preferred"]?.bool == true } ?? modes.first
    let logical = value["logical"]
    var output = CompositorOutput(
      name: name, isActive: logical != nil, width: (mode?["width"]).extent, height: (mode?["height"]).extent,
      scale: logical?["scale"]?.double ?? 1, rectangle: ScreenRectangle(logical))
    output.transform = logical?["transform"]?.string.flatMap(transforms.firstIndex) ?? 0
    return output
  }

  /// In the order of `wl_output.transform`.
  private static let transforms = [
    "Normal", "90", "180", "270", "Flipped", "Flipped90", "Flipped180", "Flipped270",
  ]

  // MARK: Rotating

  /// First the transforms, after which niri may have moved other outputs, then the positions.
  func step(
    _ change: LayoutChange, _ goal: LayoutChange.Goal, among outputs: [CompositorOutput]
  ) -> CompositorStep {
    let rotations = change.unrotated(goal, in: outputs)
    guard rotations.isEmpty else {
      return CompositorStep(requests: rotations.map(Self.rotate), rotatesOnly: true)
    }
    guard !change.unmet(goal, in: outputs).isEmpty else { return CompositorStep() }
    // All positions: when niri places an output with a configured position, it moves those without one as it likes.
    return CompositorStep(requests: change.pairs(goal, in: outputs).map { Self.place($0.target) })
  }

  private static func rotate(_ output: CompositorOutput) -> CompositorMessage {
    request(output, #"{"Transform":{"transform":"\#(transforms[output.transform])"}}"#)
  }

  private static func place(_ output: CompositorOutput) -> CompositorMessage {
    let place = output.rectangle
    return request(output, #"{"Position":{"position":{"Specific":{"x":\#(place.x),"y":\#(place.y)}}}}"#)
  }

  private static func request(_ output: CompositorOutput, _ action: String) -> CompositorMessage {
    CompositorMessage(#"{"Output":{"output":\#(JSON.string(output.name)),"action":\#(action)}}"# + "\n")
  }

  // MARK: Focus

  var applications: [[String]]? { focus.applications }

  func readFocus(on outputs: [CompositorOutput], before: Window?, then: @escaping (FocusAnswer) -> Void) {
    then(.success(focus.window(on: outputs, withTitle: watchesTitles)))
  }

  // MARK: Doctor

  let inspectionQuestions = [CompositorMessage("\"Version\"\n")]

  func inspection(_ answers: [[UInt8]], of outputs: [CompositorOutput]) -> DisplayInspection {
    let version = (try? value(answers[0]).get())?["Version"]?.string
    let outputs = outputs.map(\.output)
    return DisplayInspection(
      system: .version(version, of: "niri"), outputs: outputs,
      touch: touchscreens.remarks(on: outputs, settings, compositor: profile.name),
      focus: Message(
        .focusKnown,
        "niri reports which window has focus; a window as large as its output counts as fullscreen"))
  }
}
