// SPDX-License-Identifier: MIT

import System

/// Questions to a compositor that wants a connection for each: one after the other, in their order.
final class CompositorExchanges {
  typealias Answer = Result<[UInt8], CompositorFailure>

  /// What an answer ends with.
  enum Ending {
    case close, line
  }

  private struct Question {
    var text: String
    var completion: (Answer) -> Void
  }

  /// Far more than are ever under way: nobody has answered for long.
  private static let mostQuestions = 64
  /// The windows of a full desktop take some 100 KB.
  private static let mostBytes = 32 * 1024 * 1024

  private let path: String
  private let loop: EventLoop
  private let ending: Ending
  private let patience: Int64
  private var questions: [Question] = []
  /// Whether one is asked, or its answer is being taken.
  private var isBusy = false
  private var socket: CompositorSocket?
  private var received: [UInt8] = []
  private var timer: EventTimer?

  /// - Parameter patience: how long an answer may take, in nanoseconds.
  init(
    at path: String, loop: EventLoop, ending: Ending, patience: Int64 = CompositorFailure.patience
  ) throws {
    self.path = path
    self.loop = loop
    self.ending = ending
    self.patience = patience
    timer = try loop.timer { [weak self] in self?.giveUp() }
  }

  /// - Parameter completion: called once, though not after `close`; from within this call if it cannot be asked.
  func ask(_ text: String, completion: @escaping (Answer) -> Void) {
    guard questions.count < Self.mostQuestions else { return completion(.failure(.silent)) }
    questions.append(Question(text: text, completion: completion))
    if !isBusy { begin() }
  }

  func close() {
    hangUp()
    timer?.cancel()
    timer = nil
    questions = []
    isBusy = false
  }

  private func begin() {
    isBusy = !questions.isEmpty
    guard let question = questions.first else { return }
    do {
      let socket = try CompositorSocket(connectingTo: path)
      self.socket = socket
      try socket.watch(on: loop) { [weak self] in self?.receive() }
      try socket.send(Array(question.text.utf8))
      timer?.arm(at: EventLoop.now + patience)
    } catch {
      finish(.failure(error as? CompositorFailure ?? .unreachable(path: path, reason: "\(error)")))
    }
  }

  private func receive() {
    switch socket?.read() {
    case .bytes(let bytes): take(bytes)
    case .end: finish(ending == .close && !received.isEmpty ? .success(received) : .failure(.ended))
    case .nothing, nil: break
    }
  }

  private func take(_ bytes: [UInt8]) {
    received += bytes
    if received.count > Self.mostBytes {
      finish(.failure(.garbled("more than \(Self.mostBytes) bytes")))
    } else if ending == .line, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      finish(.success(Array(received.dropLast(bytes.count - end))))
    }
  }

  private func finish(_ answer: Answer) {
    hangUp()
    guard !questions.isEmpty else { return }
    questions.removeFirst().completion(answer)
    // After the answer, since the next question may fail at once.
    begin()
  }

  /// Who does not answer one question will not answer the others: nobody waits for each of them.
  private func giveUp() {
    let late = questions
    questions = []
    isBusy = false
    hangUp()
    for question in late { question.completion(.failure(.silent)) }
  }

  private func hangUp() {
    socket?.close()
    socket = nil
    received = []
    timer?.arm(at: nil)
  }
}
