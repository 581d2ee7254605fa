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
  /// - Throws: `Message`.
  static func inspect(
    _ dialect: any CompositorDialect, _ context: CompositorContext
  ) throws -> DisplayInspection {
    defer { dialect.channel.close() }
    let questions = dialect.inspectionQuestions + [dialect.outputsQuestion]
    do throws(Message) {
      var answers = try dialect.channel.answers(to: questions, context)
      let found = try dialect.outputs(in: dialect.value(answers.removeLast())).get()
      let panel = found.map(\.output).panelName(chosen: context.settings.output)
      return dialect.inspection(answers, of: found, panel: panel)
    } catch {
      throw Message.mute(dialect.profile, error)
    }
  }
}

extension CompositorChannel {
  /// Waits for all the answers.
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
