// SPDX-License-Identifier: MIT

import CSystemd

extension Bus {
  /// Calls a method without waiting for the answer.
  /// - Parameters:
  ///   - timeout: after which the answer is an error, also if the bus itself does not answer, or never has. The default
  ///     is D-Bus's usual 25 s.
  ///   - startsService: whether the bus may start a service that does not run.
  ///   - completion: called once, from the loop, also if the bus ends; never from within this call,
  ///     and never after `close()`.
  /// - Throws: if the call cannot even be sent; then `completion` is not called.
  package func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration = .seconds(25),
    startsService: Bool = false, completion: @escaping (Result<[Value], BusError>) -> Void
  ) throws(BusError) {
    let call = try methodCall(target, member, arguments, startsService: startsService)
    let pending = PendingCall(completion)
    let handler = MessageHandler { pending.finish(Self.answer(in: $0)) }
    let slot = try SlotContext.bind(handler, "calling \(member)") { slot, context in
      sd_bus_call_async(
        pointer, &slot, call.pointer, MessageHandler.callback, context, timeout.wholeMicroseconds)
    }
    // From here on the connection owns the slot.
    sd_bus_slot_set_floating(slot, 1)
    sd_bus_slot_unref(slot)
    if !isReady { limit(pending, to: timeout, "calling \(member)") }
  }

  /// Like `call`, but reports each failure to the completion.
  /// - Parameter completion: called once; from within this call if that cannot be sent.
  package func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration = .seconds(25),
    completion: @escaping (Result<[Value], BusError>) -> Void
  ) {
    do throws(BusError) {
      try call(target, member, arguments, timeout: timeout, completion: completion)
    } catch {
      completion(.failure(error))
    }
  }

  /// Calls a method over a separate connection, which ends with the answer or the timeout. A service whose loop was
  /// stopped can then see that the caller no longer waits.
  package func callSeparately(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration,
    completion: @escaping (Result<[Value], BusError>) -> Void
  ) throws(BusError) {
    guard let loop else { throw BusError(BusError.disconnected, "the bus has ended") }
    let separate = try Bus(kind)
    try separate.attach(to: loop)
    try separate.call(target, member, arguments, timeout: timeout) { answer in
      separate.close()
      completion(answer)
    }
  }

  /// sd-bus counts a timeout from the end of the handshake, which may never come.
  private func limit(_ pending: PendingCall, to timeout: Duration, _ action: String) {
    guard let loop, timeout < .forever else { return }
    pending.timer = try? loop.timer(at: EventLoop.moment(in: timeout)) { [weak self, weak pending] in
      guard self?.loop != nil else { return }
      pending?.finish(.failure(BusError.unanswered(BusError.noReply, action)))
    }
  }

  /// Calls a method and waits for its answer, which blocks the loop: for programs that do nothing else, and before the
  /// loop runs. A bus that does not answer at all is an error after `handshakeTimeout`.
  package func callAndWait(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration = .seconds(25)
  ) throws(BusError) -> [Value] {
    try awaitHandshake(min(timeout, Self.handshakeTimeout), "calling \(member)")
    let call = try methodCall(target, member, arguments)
    var error = sd_bus_error()
    var reply: OpaquePointer?
    let code = sd_bus_call(pointer, call.pointer, timeout.wholeMicroseconds, &error, &reply)
    defer {
      sd_bus_error_free(&error)
      sd_bus_message_unref(reply)
    }
    guard code >= 0, let reply else {
      // For the end of the bus sd-bus has its own error names, one per errno.
      let isOwn = error.name == nil || BusError.isDisconnection(code)
      throw isOwn ? .from(code, "calling \(member)") : BusError(error)
    }
    return try BusMessage(keeping: reply).arguments()
  }

  /// Reads a property of a service that runs already, and waits for it.
  /// - Returns: `nil` if its value has another type.
  package func property<T: ReadableFromBus>(_ name: String, of target: BusTarget) throws(BusError) -> T? {
    let answer = try callAndWait(
      target.properties, "Get", [.string(target.interface), .string(name)], timeout: .seconds(3))
    return try? answer.read(0)
  }

  private func awaitHandshake(_ timeout: Duration, _ action: String) throws(BusError) {
    let end = EventLoop.moment(in: timeout)
    while !isReady {
      guard try BusError.check(sd_bus_process(pointer, nil), action) == 0 else { continue }
      let left = end - EventLoop.now
      guard left > 0 else { throw kind.silence }
      try BusError.check(sd_bus_wait(pointer, UInt64(left) / 1000 + 1), action)
    }
  }

  private func methodCall(
    _ target: BusTarget, _ member: String, _ arguments: [Value], startsService: Bool = false
  ) throws(BusError) -> BusMessage {
    let call = try BusMessage("calling \(member)", arguments: arguments) { message in
      sd_bus_message_new_method_call(pointer, &message, target.service, target.path, target.interface, member)
    }
    sd_bus_message_set_auto_start(call.pointer, startsService ? 1 : 0)
    return call
  }

  private static func answer(in reply: BusMessage) -> Result<[Value], BusError> {
    if let error = reply.error { return .failure(error) }
    return Result { () throws(BusError) in try reply.arguments() }
  }
}

/// A call that completes once, with an answer or a timeout.
private final class PendingCall {
  private var completion: ((Result<[Value], BusError>) -> Void)?
  var timer: EventTimer?

  init(_ completion: @escaping (Result<[Value], BusError>) -> Void) {
    self.completion = completion
  }

  func finish(_ answer: Result<[Value], BusError>) {
    timer = nil
    completion.take()?(answer)
  }
}

nonisolated extension Duration {
  /// For calls whose answer is useful at any time.
  package static let forever = Duration.seconds(Int64.max)

  /// Rounded up; never 0, which means the default to sd-bus; the largest number for `forever`.
  var wholeMicroseconds: UInt64 {
    UInt64(clamping: max(1, (attoseconds + 999_999_999_999) / 1_000_000_000_000))
  }
}

/// The destination of a call: one interface of one object of one service.
nonisolated package struct BusTarget: Equatable, Sendable {
  package var service: String
  package var path: String
  package var interface: String

  package init(service: String, path: String, interface: String) {
    self.service = service
    self.path = path
    self.interface = interface
  }

  /// The same object's `Get`, `GetAll`, `Set` and `PropertiesChanged`.
  package var properties: BusTarget {
    BusTarget(service: service, path: path, interface: "org.freedesktop.DBus.Properties")
  }

  /// The bus itself.
  package static let driver = BusTarget(
    service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
}
