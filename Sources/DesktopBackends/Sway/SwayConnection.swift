// SPDX-License-Identifier: MIT

import System

/// The conversation with sway: requests, which it answers in their order, and events in between.
///
/// An answer that is late is given up, not the connection: when sway wakes, it answers all that it was
/// asked, and `woke` says so.
final class SwayConnection {
  typealias Answer = Result<JSONValue, CompositorFailure>

  private struct Request {
    var type: UInt32
    var deadline: Int64
    /// `nil` when it was given up.
    var completion: ((Answer) -> Void)?
  }

  /// Far more than are ever under way: sway has not read for long.
  private static let mostRequests = 64

  private let socket: CompositorSocket
  private let patience: Int64
  private var messages = SwayMessages()
  private var requests: [Request] = []
  private var timer: EventTimer?

  /// Takes an event, with the JSON value that it brings.
  var onEvent: (SwayMessage.Event, JSONValue) -> Void = { _, _ in }
  /// Called when what was given up has been answered after all.
  var onWaking: () -> Void = {}
  /// Called once, with the reason, when there is no connection any more.
  var onEnd: (CompositorFailure) -> Void = { _ in }

  /// - Parameter patience: how long an answer may take, in nanoseconds.
  init(
    _ socket: CompositorSocket, loop: EventLoop, patience: Int64 = CompositorFailure.patience
  ) throws {
    self.socket = socket
    self.patience = patience
    timer = try loop.timer { [weak self] in self?.giveUpLate() }
    try socket.watch(on: loop) { [weak self] in self?.receive() }
  }

  /// - Parameter completion: called once, though not after `close`; from within this call if it cannot be sent.
  func request(
    _ request: SwayMessage.Request, _ text: String = "", completion: @escaping (Answer) -> Void
  ) {
    do throws(CompositorFailure) {
      guard requests.count < Self.mostRequests else { throw .silent }
      try socket.send(SwayMessage(request, text).bytes)
    } catch {
      return completion(.failure(error))
    }
    let deadline = EventLoop.now + patience
    requests.append(Request(type: request.rawValue, deadline: deadline, completion: completion))
    armTimer()
  }

  /// Waits for what was asked so far, for the moment when the loop will not run again.
  func awaitAnswers(nanoseconds: Int64) {
    let end = EventLoop.now + nanoseconds
    while !requests.isEmpty, socket.awaitReadable(nanoseconds: end - EventLoop.now) { receive() }
  }

  func close() {
    socket.close()
    timer?.cancel()
    timer = nil
    requests = []
  }

  private func receive() {
    switch socket.read() {
    case .nothing: return
    case .end: return end(.ended)
    case .bytes(let bytes): messages.append(bytes)
    }
    do throws(CompositorFailure) {
      while let message = try messages.next() { try take(message) }
    } catch {
      end(error)
    }
  }

  private func take(_ message: SwayMessage) throws(CompositorFailure) {
    if message.type & 0x8000_0000 != 0 {
      guard let event = SwayMessage.Event(rawValue: message.type), let value = JSONValue(message.payload)
      else { return }
      return onEvent(event, value)
    }
    guard requests.first?.type == message.type else { throw .garbled("it answers what was not asked") }
    let request = requests.removeFirst()
    armTimer()
    guard let completion = request.completion else {
      if requests.allSatisfy({ $0.completion != nil }) { onWaking() }
      return
    }
    completion(JSONValue(message.payload).map(Answer.success) ?? .failure(.garbled("it is not JSON")))
  }

  private func giveUpLate() {
    let now = EventLoop.now
    var late: [(Answer) -> Void] = []
    for index in requests.indices where requests[index].deadline <= now {
      if let completion = requests[index].completion { late.append(completion) }
      requests[index].completion = nil
    }
    armTimer()
    for completion in late { completion(.failure(.silent)) }
  }

  private func armTimer() {
    timer?.arm(at: requests.first { $0.completion != nil }?.deadline)
  }

  private func end(_ reason: CompositorFailure) {
    let left = requests
    close()
    for request in left { request.completion?(.failure(reason)) }
    onEnd(reason)
    onEnd = { _ in }
  }
}

extension SwayConnection {
  /// Runs commands.
  /// - Parameter completion: takes success only if sway says so of each of them.
  func run(_ commands: String, completion: @escaping (Result<Void, CompositorFailure>) -> Void) {
    request(.runCommand, commands) { answer in
      completion(answer.flatMap { Self.outcome(of: $0.elements) })
    }
  }

  private static func outcome(of results: [JSONValue]) -> Result<Void, CompositorFailure> {
    guard !results.isEmpty else { return .failure(.garbled("no result for a command")) }
    guard let failed = results.first(where: { $0["success"]?.bool != true }) else { return .success(()) }
    return .failure(.refused(failed["error"]?.string ?? "no reason given"))
  }
}
