// SPDX-License-Identifier: MIT

import System

extension CompositorExchanges {
  /// Asks several questions and waits for all the answers, two seconds at most.
  static func answers(
    to questions: [String], at path: String, ending: Ending
  ) throws -> Result<[[UInt8]], CompositorFailure> {
    let loop = try EventLoop()
    let exchanges = try CompositorExchanges(at: path, loop: loop, ending: ending)
    defer { exchanges.close() }
    var answers: [[UInt8]] = []
    var failure: CompositorFailure?
    for question in questions {
      exchanges.ask(question) { answer in
        switch answer {
        case .success(let bytes): answers.append(bytes)
        case .failure(let reason): failure = failure ?? reason
        }
      }
    }
    let deadline = EventLoop.now + CompositorFailure.patience
    while answers.count < questions.count, failure == nil, EventLoop.now < deadline {
      try loop.runOnce(timeoutNanoseconds: deadline - EventLoop.now)
    }
    return answers.count == questions.count ? .success(answers) : .failure(failure ?? .silent)
  }
}
