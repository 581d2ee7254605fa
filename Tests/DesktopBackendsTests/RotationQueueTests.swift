// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Rotations that wait for each other.
@MainActor
final class RotationQueueTests {
  private let loop: EventLoop
  private let report = Reporter()
  private let queue: RotationQueue
  private var begun: [String] = []
  private var results: [Result<Void, Message>] = []
  private var finish: [RotationQueue.Completion] = []
  private var events: [Event] = []

  init() throws {
    loop = try EventLoop()
    queue = RotationQueue(report, try NextLoopPass(loop))
    report.start({ [unowned self] in events.append($0) }, gone: { _ in })
  }

  private func add(_ output: String, failing failure: (any Error)? = nil) {
    queue.add([PanelRotation(output, to: .rotated90)], { [unowned self] in results.append($0) }) {
      [unowned self] in
      begun.append(output)
      if let failure { throw failure }
      finish.append($0)
    }
  }

  private var sentences: [String] { results.map(\.sentence) }

  @Test func `a rotation begins when the one before has ended`() {
    #expect(!queue.isBusy)
    add("a")
    add("b")
    #expect(begun == ["a"] && queue.isBusy)
    finish[0](.failure(.connectionClosed))
    #expect(begun == ["a", "b"] && results.count == 1 && queue.isBusy)
    finish[1](.success(()))
    #expect(results.count == 2 && !queue.isBusy)
    add("c")
    #expect(begun == ["a", "b", "c"])
  }

  @Test func `a rotation that cannot begin fails later`() throws {
    add("a", failing: Message.silence)
    add("b", failing: SystemError(call: "timer", code: 24))
    add("c")
    #expect(begun == ["a"] && results.isEmpty)
    try loop.wait(for: "both failures") { results.count == 2 }
    #expect(sentences == [Message.silence.description, "b was not rotated (timer: Too many open files)"])
    #expect(begun == ["a", "b", "c"])
  }

  @Test(arguments: [true, false])
  func `only a successful rotation makes the last report outdated`(isSuccessful: Bool) {
    let panel = Output(name: "a", isBuiltIn: true, width: 1280, height: 800)
    report(.outputsChanged([panel]))
    add("a")
    finish[0](isSuccessful ? .success(()) : .failure(.silence))
    #expect(report(.outputsChanged([panel])) == isSuccessful)
  }
}
