// SPDX-License-Identifier: MIT

import CSystemd

extension Bus {
  /// Calls a method and goes on.
  /// - Parameters:
  ///   - timeout: after which the answer is an error; D-Bus's usual 25 s where nobody waits.
  ///   - startsService: whether the bus may start a service that does not run.
  ///   - completion: called once, from the loop, also if the bus ends; never from within this call,
  ///     and never after `close()`.
  /// - Throws: if the call cannot even be sent; then `completion` is not called.
  package func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration = .seconds(25),
    startsService: Bool = true, completion: @escaping (Result<[Value], BusError>) -> Void
  ) throws(BusError) {
    let call = try methodCall(target, member, arguments, startsService: startsService)
    let handler = MessageHandler { completion(Self.answer(in: $0)) }
    let slot = try SlotContext.bind(handler, "calling \(member)") { slot, context in
      sd_bus_call_async(
        pointer, &slot, call.pointer, MessageHandler.callback, context, timeout.wholeMicroseconds)
    }
    // From here on the connection owns the slot.
    sd_bus_slot_set_floating(slot, 1)
    sd_bus_slot_unref(slot)
  }

  /// Calls a method and waits for its answer, which stops the loop: for programs that do only this,
  /// and for the moment before the loop runs.
  package func callAndWait(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], timeout: Duration = .seconds(25),
    startsService: Bool = true
  ) throws(BusError) -> [Value] {
    let call = try methodCall(target, member, arguments, startsService: startsService)
    var error = sd_bus_error()
    var reply: OpaquePointer?
    let code = sd_bus_call(pointer, call.pointer, timeout.wholeMicroseconds, &error, &reply)
    defer {
      sd_bus_error_free(&error)
      sd_bus_message_unref(reply)
    }
    guard code >= 0, let reply else {
      // For an end of the bus sd-bus has a name of its own, one per errno.
      let isOwn = error.name == nil || BusError.isDisconnection(code)
      throw isOwn ? .from(code, "calling \(member)") : BusError(error)
    }
    return try MessageReader(message: reply).readAll()
  }

  private func methodCall(
    _ target: BusTarget, _ member: String, _ arguments: [Value], startsService: Bool
  ) throws(BusError) -> Message {
    let call = try Message("calling \(member)", arguments: arguments) { message in
      sd_bus_message_new_method_call(
        pointer, &message, target.service, target.path, target.interface, member)
    }
    sd_bus_message_set_auto_start(call.pointer, startsService ? 1 : 0)
    return call
  }

  private static func answer(in reply: Message) -> Result<[Value], BusError> {
    if let error = reply.error { return .failure(error) }
    do throws(BusError) {
      return .success(try reply.arguments())
    } catch {
      return .failure(error)
    }
  }
}

extension Duration {
  /// Never 0, which sd-bus takes for its default.
  var wholeMicroseconds: UInt64 {
    let (seconds, attoseconds) = components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    return UInt64(exactly: max(1, microseconds).rounded()) ?? .max
  }
}
