// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Questions to a compositor that wants a connection for each: one after the other, in their order. What it tells by
/// itself comes over one more, in lines.
final class CompositorExchanges: CompositorConversation {
  /// What an answer ends with.
  enum Ending {
    case close, line
  }

  private struct Question {
    var bytes: [UInt8]
    var completion: (Answer) -> Void
  }

  /// Far more than are ever under way: nobody has answered for long.
  private static let mostQuestions = 64
  /// The windows of a full desktop take some 100 KB.
  private static let mostBytes = 32 * 1024 * 1024

  private static let lastPatience: Int64 = 100_000_000

  /// It takes no question before the one before is answered.
  let answersInOrder = false

  private let path: String
  private let loop: EventLoop
  private let ending: Ending
  var patience: Int64
  private var questions: [Question] = []
  /// Whether one is asked, or its answer is being taken.
  private var isBusy = false
  private var socket: CompositorSocket?
  private var received: [UInt8] = []
  private var timer: EventTimer?
  /// Until they are listened to.
  private var eventSocket: CompositorSocket?
  private let request: String
  private var events: CompositorLines?

  /// - Parameters:
  ///   - events: connected to where events come from.
  ///   - request: what to say there first.
  init(
    at path: String, ending: Ending, events: CompositorSocket? = nil, saying request: String = "",
    _ context: CompositorContext
  ) throws {
    self.path = path
    self.ending = ending
    self.request = request
    loop = context.loop
    patience = context.patience
    eventSocket = events
    timer = try loop.timer { [weak self] in self?.giveUp() }
  }

  func listen(
    event: @escaping (CompositorMessage) -> Void, ended: @escaping (Message) -> Void
  ) throws {
    guard let socket = eventSocket else { return }
    events = try CompositorLines(
      socket, loop: loop, saying: request, line: { event(CompositorMessage(payload: $0)) }, ended: ended)
    eventSocket = nil
  }

  func ask(_ question: CompositorMessage, completion: @escaping (Answer) -> Void) {
    guard questions.count < Self.mostQuestions else { return completion(.failure(.silence)) }
    questions.append(Question(bytes: question.payload, completion: completion))
    if !isBusy { begin() }
  }

  /// Says something when the loop will not run again, and waits a moment until it was heard.
  /// - Returns: whether it was.
  func sayLast(_ words: CompositorMessage) -> Bool {
    guard let socket = try? CompositorSocket(connectingTo: path), (try? socket.send(words.payload)) != nil
    else {
      return false
    }
    return socket.awaitReadable(nanoseconds: Self.lastPatience)
  }

  func close() {
    hangUp()
    events?.close()
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
      try socket.send(question.bytes)
      timer?.arm(at: EventLoop.now + patience)
    } catch {
      finish(.failure(error as? Message ?? .nobodyListens(at: path, reason: "\(error)")))
    }
  }

  private func receive() {
    switch socket?.read() {
    case .bytes(let bytes): take(bytes)
    case .end:
      finish(ending == .close && !received.isEmpty ? .success(received) : .failure(.garbled("nothing")))
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
    for question in late { question.completion(.failure(.silence)) }
  }

  private func hangUp() {
    socket?.close()
    socket = nil
    received = []
    timer?.arm(at: nil)
  }
}
