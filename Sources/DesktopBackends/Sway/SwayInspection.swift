// SPDX-License-Identifier: MIT

import Autorotation
import System

/// sway as doctor sees it.
extension SwayBackend {
  /// - Throws: `SwayUnavailable`.
  package static func inspect(settings: DisplaySettings) throws -> DisplayInspection {
    try SwayInspection(socket: SwaySocket().connect(), settings: settings).look()
  }
}

struct SwayInspection {
  let socket: CompositorSocket
  let settings: DisplaySettings

  func look() throws -> DisplayInspection {
    let connection = try SwayConnection(socket, loop: EventLoop())
    defer { connection.close() }
    let asked: [SwayMessage.Request] = [.getVersion, .getOutputs, .getConfig, .getInputs]
    var answers: [JSONValue] = []
    var failure: CompositorFailure?
    connection.onEnd = { failure = $0 }
    for request in asked {
      connection.request(request) { answer in
        switch answer {
        case .success(let value): answers.append(value)
        case .failure(let reason): failure = failure ?? reason
        }
      }
    }
    connection.awaitAnswers(nanoseconds: CompositorFailure.patience)
    guard answers.count == asked.count else { throw SwayUnavailable.mute("\(failure ?? .silent)") }
    return describe(connection, answers)
  }

  private func describe(_ connection: SwayConnection, _ answers: [JSONValue]) -> DisplayInspection {
    let outputs = answers[1].elements.compactMap(SwayOutput.init).map(\.output)
    let panel = outputs.panelName(chosen: settings.output)
    let touch = SwayTouch(connection, settings: settings, note: { _ in })
    touch.version = SwayVersion(answers[0])
    touch.use(SwayConfiguration(answers[2]["config"]?.string ?? ""))
    touch.use(answers[3].elements.compactMap(SwayInput.init))
    touch.use(outputs)
    let remarks = touch.devices.map { Self.remark($0.input, $0.mapping, panel) }
    return DisplayInspection(
      system: Self.system(answers[0]), outputs: outputs, panel: panel,
      touch: remarks.isEmpty ? [.init("sway knows no touchscreen and no pen that is to follow")] : remarks,
      focus: .init("sway tells which window has focus"))
  }

  private static func system(_ version: JSONValue) -> String {
    "\(version["variant"]?.string ?? "sway") \(version["human_readable"]?.string ?? "of unknown version")"
  }

  private static func remark(
    _ input: SwayInput, _ mapping: SwayTouch.Mapping, _ panel: String?
  ) -> DisplayInspection.Remark {
    switch (mapping, panel) {
    case (.byConfiguration, _): .init("“\(input.name)” lies where the sway configuration maps it")
    case (.bySway, _): .init("“\(input.name)” is mapped to its output by sway itself")
    case (.needed, let panel?): .init("“\(input.name)” is mapped to \(panel) while autorotate runs")
    case (.needed, nil):
      .init(
        "“\(input.name)” is mapped to no output, since none is known to be the panel",
        next: "name the panel as `output` in the [display] settings")
    }
  }
}
