// SPDX-License-Identifier: MIT

import Autorotation
import System

extension Phrase {
  static func version(_ version: String?, of name: String) -> Phrase {
    version.map { "\(name) \($0)" } ?? "\(name) of unknown version"
  }
}

extension CompositorBackend {
  /// The results of `autorotate doctor`.
  static func inspect(
    _ dialect: any CompositorDialect, _ context: CompositorContext
  ) throws -> DisplayInspection {
    defer { dialect.channel.close() }
    let questions = dialect.inspectionQuestions + [dialect.outputsQuestion]
    do throws(Message) {
      var answers = try dialect.channel.answers(to: questions, context)
      let found = try dialect.outputs(in: dialect.value(answers.removeLast())).get()
      return dialect.inspection(answers, of: found)
    } catch {
      throw Message.mute(dialect.profile, error)
    }
  }
}

extension CompositorDialect {
  /// The results for a compositor that reports the focus and lists its touchscreens and pens.
  func inspection(system: Phrase, of outputs: [CompositorOutput]) -> DisplayInspection {
    let devices = touchDevices(among: outputs)
    let line = devices.mapLine(settings)
    let remarks = devices.compactMap { $0.place?.remark($0.name, line) ?? $0.follows }
    let none = Message(
      .touchNone, "\(profile.name) lists no touchscreen or pen that should follow the screen")
    return DisplayInspection(
      system: system, outputs: outputs.map(\.output), touch: remarks.isEmpty ? [none] : remarks,
      focus: Message(.focusKnown, "\(profile.name) reports which window has focus"))
  }
}

extension CompositorChannel {
  fileprivate func answers(
    to questions: [CompositorMessage], _ context: CompositorContext
  ) throws(Message) -> [[UInt8]] {
    var answers: Result<[[UInt8]], Message> = .success([])
    for question in questions {
      ask(question) { new in answers = answers.flatMap { known in new.map { known + [$0] } } }
    }
    let deadline = EventLoop.now + context.timeout
    while case .success(let known) = answers, known.count < questions.count {
      guard EventLoop.now < deadline else { throw .silence }
      _ = try? context.loop.runOnce(timeoutNanoseconds: deadline - EventLoop.now)
    }
    return try answers.get()
  }
}
