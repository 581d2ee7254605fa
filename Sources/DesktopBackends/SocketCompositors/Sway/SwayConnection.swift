// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The connection to sway: requests, which it answers in order, and events in between.
///
/// A late answer is given up, not the connection: sway will answer all requests when it responds again, and
/// `onLateAnswers` reports that.
final class SwayConnection: CompositorChannel {
  private struct Request {
    var type: UInt32
    var deadline: Int64
    /// `nil` after the timeout.
    var completion: ((Answer) -> Void)?
  }

  let answersInOrder = true

  private let socket: CompositorSocket
  var timeout: Int64
  private var messages = SwayMessages()
  private var requests: [Request] = []
  /// Requests to be sent together; `nil` while each is sent at once.
  private var batch: [UInt8]?
  private var timer: EventTimer?

  /// Called when all requests that timed out have been answered after all.
  var onLateAnswers: () -> Void = {}
  private var onEvent: (CompositorMessage) -> Void = { _ in }
  private var onEnd: ((Message) -> Void)?

  /// - Parameter timeout: of an answer, in nanoseconds.
  init(
    _ socket: CompositorSocket, loop: EventLoop, timeout: Int64 = CompositorContext.defaultTimeout
  ) throws {
    self.socket = socket
    self.timeout = timeout
    timer = try loop.timer { [weak self] in self?.failOverdue() }
    try socket.watch(on: loop) { [weak self] in self?.receive() }
  }

  func listen(event: @escaping (CompositorMessage) -> Void, ended: @escaping (Message) -> Void) {
    onEvent = event
    onEnd = ended
  }

  func ask(_ question: CompositorMessage, completion: @escaping (Answer) -> Void) {
    do throws(Message) {
      guard requests.count < CompositorSocket.maximumRequests else { throw .silence }
      if batch == nil { try socket.send(question.bytes) }
    } catch {
      return completion(.failure(error))
    }
    batch?.append(contentsOf: question.bytes)
    requests.append(Request(type: question.type, deadline: EventLoop.now + timeout, completion: completion))
    armTimer()
  }

  func together(_ asking: () -> Void) {
    let before = requests.count
    batch = []
    asking()
    let bytes = batch ?? []
    batch = nil
    guard !bytes.isEmpty else { return }
    do throws(Message) { try socket.send(bytes) } catch {
      let unsent = requests.dropFirst(before)
      requests.removeLast(unsent.count)
      armTimer()
      for request in unsent { request.completion?(.failure(error)) }
    }
  }

  /// Waits for the pending answers; called last, when the loop will not run again.
  func awaitAnswers(nanoseconds: Int64) {
    let end = EventLoop.now + nanoseconds
    while !requests.isEmpty, socket.awaitReadable(nanoseconds: end - EventLoop.now) { receive() }
  }

  func close() {
    socket.close()
    timer = nil
    requests = []
  }

  private func receive() {
    switch socket.read() {
    case .nothing: return
    case .end: return end(.connectionClosed)
    case .bytes(let bytes): messages.append(bytes)
    }
    do throws(Message) {
      while let message = try messages.next() { try handle(message) }
    } catch {
      end(error)
    }
  }

  private func handle(_ message: SwayMessage) throws(Message) {
    if message.type & 0x8000_0000 != 0 { return onEvent(message) }
    guard requests.first?.type == message.type else { throw .garbled("it answers what was not asked") }
    let request = requests.removeFirst()
    armTimer()
    guard let completion = request.completion else {
      if requests.allSatisfy({ $0.completion != nil }) { onLateAnswers() }
      return
    }
    completion(.success(message.payload))
  }

  private func failOverdue() {
    let now = EventLoop.now
    var late: [(Answer) -> Void] = []
    for index in requests.indices where requests[index].deadline <= now {
      if let completion = requests[index].completion { late.append(completion) }
      requests[index].completion = nil
    }
    armTimer()
    for completion in late { completion(.failure(.silence)) }
  }

  private func armTimer() {
    timer?.arm(at: requests.first { $0.completion != nil }?.deadline)
  }

  private func end(_ reason: Message) {
    let left = requests
    close()
    for request in left { request.completion?(.failure(reason)) }
    onEnd.take()?(reason)
  }
}

/// A message of the i3-IPC protocol, as sway-ipc(7) describes it.
typealias SwayMessage = CompositorMessage

extension SwayMessage {
  /// The types of requests; an answer has the type of its request.
  enum Request: UInt32 {
    case runCommand = 0
    case subscribe = 2
    case getOutputs = 3
    case getTree = 4
    case getVersion = 7
    case getConfig = 9
    case getInputs = 100
  }

  /// The types of events.
  enum Event: UInt32 {
    case workspace = 0x8000_0000
    case output = 0x8000_0001
    case window = 0x8000_0003
    case shutdown = 0x8000_0006
    case input = 0x8000_0015
  }

  init(_ request: Request, _ text: String = "") {
    self.init(type: request.rawValue, payload: Array(text.utf8))
  }

  fileprivate static let magic = Array("i3-ipc".utf8)
  fileprivate static let headerLength = magic.count + 8

  /// The magic, length and type in the byte order of the machine, and the payload.
  var bytes: [UInt8] {
    Self.magic + Self.bytes(UInt32(clamping: payload.count)) + Self.bytes(type) + payload
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }
}

/// Splits a stream into messages.
struct SwayMessages {
  private var bytes: [UInt8] = []

  mutating func append(_ new: [UInt8]) {
    bytes += new
  }

  /// - Returns: `nil` if the next message is not complete yet.
  /// - Throws: if the stream is not i3-IPC.
  mutating func next() throws(Message) -> SwayMessage? {
    guard bytes.prefix(SwayMessage.magic.count).elementsEqual(SwayMessage.magic.prefix(bytes.count)) else {
      throw .garbled("it does not begin with i3-ipc")
    }
    guard bytes.count >= SwayMessage.headerLength else { return nil }
    let length = Int(number(at: SwayMessage.magic.count))
    guard length <= CompositorSocket.maximumBytes else { throw .tooLong }
    let end = SwayMessage.headerLength + length
    // JSON has no zero bytes, but the next header has: a wrong length must not swallow the answers that follow.
    let isSwallowing = bytes.count < end && bytes[SwayMessage.headerLength...].contains(0)
    guard !isSwallowing else { throw .garbled("its length is wrong") }
    guard bytes.count >= end else { return nil }
    let message = SwayMessage(
      type: number(at: SwayMessage.magic.count + 4), payload: Array(bytes[SwayMessage.headerLength..<end]))
    bytes.removeFirst(end)
    return message
  }

  private func number(at index: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
  }
}
