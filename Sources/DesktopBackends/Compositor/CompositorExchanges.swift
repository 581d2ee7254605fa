// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Requests to a compositor that needs a connection for each, one after the other. Its events come over one more
/// connection, in lines.
final class CompositorExchanges: CompositorConversation {
  /// The end of an answer.
  enum Ending {
    case close, line
  }

  private struct Question {
    var bytes: [UInt8]
    var completion: (Answer) -> Void
  }

  /// Far more than are ever pending: the compositor has not answered for long.
  private static let mostQuestions = 64
  /// The list of windows of a full desktop takes some 100 KB.
  private static let mostBytes = 32 * 1024 * 1024

  private static let lastPatience: Int64 = 100_000_000

  let answersInOrder = false

  private let path: String
  private let loop: EventLoop
  private let ending: Ending
  var patience: Int64
  private var questions: [Question] = []
  /// Whether a request is pending or its answer is being handled.
  private var isBusy = false
  private var socket: CompositorSocket?
  private var received: [UInt8] = []
  private var timer: EventTimer?
  /// Set until `listen` is called.
  private var eventSocket: CompositorSocket?
  private let request: String
  private var events: CompositorLines?

  /// - Parameters:
  ///   - events: connected to the socket of the events.
  ///   - request: sent there first.
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

  /// Sends a request when the loop will not run again, and waits briefly for its answer.
  /// - Returns: whether an answer came.
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
    // After the completion, since the next request may fail at once.
    begin()
  }

  /// If one request times out, all pending ones fail: waiting for each would add up.
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
