// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Requests to a compositor that needs a connection for each, one after the other. Its events come over one more
/// connection, in lines.
final class CompositorExchanges: CompositorChannel {
  /// The end of an answer.
  enum Ending {
    case close, line
  }

  private static let exitTimeout: Int64 = 100_000_000

  let answersInOrder = false

  private let path: String
  private let loop: EventLoop
  private let ending: Ending
  var timeout: Int64
  private var requests: [(question: CompositorMessage, completion: (Answer) -> Void)] = []
  /// Whether a request is pending or its answer is being handled.
  private var isBusy = false
  private var socket: CompositorSocket?
  private var received: [UInt8] = []
  private var timer: EventTimer?
  private let eventSocket: CompositorSocket?
  private let request: String
  private var events: CompositorLines?

  /// - Parameters:
  ///   - events: connected to the socket of the events.
  ///   - request: sent there first.
  init(
    at path: String, ending: Ending, events: CompositorSocket? = nil, sending request: String = "",
    _ context: CompositorContext
  ) throws {
    self.path = path
    self.ending = ending
    self.request = request
    loop = context.loop
    timeout = context.timeout
    eventSocket = events
    timer = try loop.timer { [weak self] in self?.giveUp() }
  }

  func listen(event: @escaping (CompositorMessage) -> Void, ended: @escaping (Message) -> Void) throws {
    guard let eventSocket else { return }
    events = try CompositorLines(
      eventSocket, loop: loop, sending: request, line: { event(CompositorMessage(payload: $0)) }, ended: ended
    )
  }

  func ask(_ question: CompositorMessage, completion: @escaping (Answer) -> Void) {
    guard requests.count < CompositorSocket.maximumRequests else { return completion(.failure(.silence)) }
    requests.append((question, completion))
    if !isBusy { begin() }
  }

  /// Sends a request when the loop will not run again, and waits briefly for its answer.
  /// - Returns: whether an answer came.
  func sendBeforeExit(_ request: CompositorMessage) -> Bool {
    guard let socket = try? CompositorSocket(connectingTo: path), (try? socket.send(request.payload)) != nil
    else { return false }
    return socket.awaitReadable(nanoseconds: Self.exitTimeout)
  }

  func close() {
    disconnect()
    events?.close()
    timer = nil
    requests = []
    isBusy = false
  }

  private func begin() {
    isBusy = !requests.isEmpty
    guard let question = requests.first?.question else { return }
    do {
      let socket = try CompositorSocket(connectingTo: path)
      self.socket = socket
      try socket.watch(on: loop) { [weak self] in self?.receive() }
      try socket.send(question.payload)
      timer?.arm(at: EventLoop.now + timeout)
    } catch {
      finish(.failure(error as? Message ?? .nobodyListens(at: path, reason: "\(error)")))
    }
  }

  private func receive() {
    switch socket?.read() {
    case .bytes(let bytes): append(bytes)
    case .end:
      finish(ending == .close && !received.isEmpty ? .success(received) : .failure(.garbled("nothing")))
    case .nothing, nil: break
    }
  }

  private func append(_ bytes: [UInt8]) {
    received += bytes
    if received.count > CompositorSocket.maximumBytes {
      finish(.failure(.tooLong))
    } else if ending == .line, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      finish(.success(Array(received.dropLast(bytes.count - end))))
    }
  }

  private func finish(_ answer: Answer) {
    disconnect()
    guard !requests.isEmpty else { return }
    requests.removeFirst().completion(answer)
    // After the completion, since the next request may fail at once.
    begin()
  }

  /// If one request times out, all pending ones fail: waiting for each would add up.
  private func giveUp() {
    let late = requests
    requests = []
    isBusy = false
    disconnect()
    for request in late { request.completion(.failure(.silence)) }
  }

  private func disconnect() {
    socket?.close()
    socket = nil
    received = []
    timer?.arm(at: nil)
  }
}

/// The events of a compositor: a stream of lines.
final class CompositorLines {
  private let socket: CompositorSocket
  private var rest: [UInt8] = []
  private var isClosed = false

  /// - Parameters:
  ///   - request: sent first.
  ///   - line: called with each line, without its end.
  ///   - ended: called once, with the reason, when no more lines will come.
  init(
    _ socket: CompositorSocket, loop: EventLoop, sending request: String = "",
    line: @escaping ([UInt8]) -> Void, ended: @escaping (Message) -> Void
  ) throws {
    self.socket = socket
    try socket.watch(on: loop) { [weak self] in self?.receive(line, ended) }
    if !request.isEmpty { try socket.send(Array(request.utf8)) }
  }

  func close() {
    isClosed = true
    socket.close()
  }

  private func receive(_ line: ([UInt8]) -> Void, _ ended: (Message) -> Void) {
    switch socket.read() {
    case .nothing: return
    case .end: return end(.connectionClosed, ended)
    case .bytes(let bytes): rest += bytes
    }
    var start = rest.startIndex
    while !isClosed, let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      line(Array(rest[start..<end]))
      start = end + 1
    }
    rest.removeFirst(start)
    if rest.count > CompositorSocket.maximumBytes { end(.tooLong, ended) }
  }

  private func end(_ reason: Message, _ ended: (Message) -> Void) {
    guard !isClosed else { return }
    close()
    ended(reason)
  }
}
