// SPDX-License-Identifier: MIT

import Autorotation
import System

/// niri as doctor sees it.
extension NiriBackend {
  /// - Throws: `NiriUnavailable`.
  package static func inspect(settings: DisplaySettings) throws -> DisplayInspection {
    try inspect(path: NiriSocket().find().path, settings: settings)
  }

  static func inspect(path: String, settings: DisplaySettings) throws -> DisplayInspection {
    let answers: [[UInt8]]
    switch try CompositorExchanges.answers(
      to: [NiriReply.version, NiriReply.outputs], at: path, ending: .line)
    {
    case .success(let all): answers = all
    case .failure(let reason): throw NiriUnavailable.mute("\(reason)")
    }
    let values = answers.map { try? NiriReply.value($0).get() }
    guard let found = values[1].flatMap(NiriOutput.all) else {
      throw NiriUnavailable.mute("\(CompositorFailure.garbled("no outputs"))")
    }
    let outputs = found.map(\.output)
    return DisplayInspection(
      system: "niri \(values[0]?["Version"]?.string ?? "of unknown version")", outputs: outputs,
      panel: outputs.panelName(chosen: settings.output),
      touch: [.init("niri turns touch with the output that it is mapped to, or else with the first")],
      focus: .init("niri tells which window has focus; a window as large as its output counts as full screen")
    )
  }
}
