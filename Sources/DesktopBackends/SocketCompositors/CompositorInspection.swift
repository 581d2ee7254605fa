// SPDX-License-Identifier: MIT

import Autorotation
import System

/// What doctor shows of a compositor in addition to its outputs.
struct CompositorInspection {
  var system: Phrase
  var touch: [Message]
  var focus: Message
}

extension Phrase {
  static func version(_ version: String?, of name: String) -> Phrase {
    version.map { "\(name) \($0)" } ?? "\(name) of unknown version"
  }
}

extension CompositorBackend {
  /// The results of `autorotate doctor`.
  /// - Throws: `Message`.
  static func inspect(
    _ dialect: any CompositorDialect.Type, settings: DisplaySettings
  ) throws -> DisplayInspection {
    let context = CompositorContext(loop: try EventLoop(), settings: settings)
    return try inspect(dialect.init(context), context)
  }

  static func inspect(
    _ dialect: any CompositorDialect, _ context: CompositorContext
  ) throws -> DisplayInspection {
    defer { dialect.channel.close() }
    let questions = dialect.inspectionQuestions + [dialect.outputsQuestion]
    do throws(Message) {
      var answers = try dialect.channel.answers(to: questions, context)
      guard let found = dialect.outputs(try dialect.value(answers.removeLast()).get()) else {
        throw .garbled("no outputs")
      }
      let outputs = found.map(\.output)
      let panel = outputs.panelName(chosen: context.settings.output)
      let inspection = dialect.inspection(answers, of: found, panel: panel)
      return DisplayInspection(
        system: inspection.system, outputs: outputs, panel: panel, touch: inspection.touch,
        focus: inspection.focus)
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
    var answers: [[UInt8]] = []
    var failure: Message?
    for question in questions {
      ask(question) { answer in
        switch answer {
        case .success(let bytes): answers.append(bytes)
        case .failure(let reason): failure = failure ?? reason
        }
      }
    }
    let deadline = EventLoop.now + context.timeout
    while answers.count < questions.count, failure == nil, EventLoop.now < deadline {
      _ = try? context.loop.runOnce(timeoutNanoseconds: deadline - EventLoop.now)
    }
    guard answers.count == questions.count else { throw failure ?? .silence }
    return answers
  }
}
