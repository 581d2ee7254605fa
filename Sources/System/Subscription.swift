// SPDX-License-Identifier: MIT

import CSystemd

/// A registration with the bus. It ends when it is released.
package final class Subscription {
  private let end: () -> Void

  init(_ end: @escaping () -> Void) {
    self.end = end
  }

  convenience init(_ slot: OpaquePointer) {
    self.init { sd_bus_slot_unref(slot) }
  }

  isolated deinit {
    end()
  }
}

/// A Swift object retained by an sd-bus slot: sd-bus passes it to each callback, and it lives as long as the slot.
enum SlotContext {
  /// - Parameter make: calls the sd-bus function with the slot to fill and the context to keep.
  static func bind(
    _ object: AnyObject, _ action: @autoclosure () -> String,
    _ make: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
  ) throws(BusError) -> OpaquePointer {
    let kept = Unmanaged.passRetained(object)
    var slot: OpaquePointer?
    let code = make(&slot, kept.toOpaque())
    guard code >= 0, let slot else {
      kept.release()
      throw BusError.from(code, action())
    }
    sd_bus_slot_set_destroy_callback(slot) { context in
      guard let context else { return }
      Unmanaged<AnyObject>.fromOpaque(context).release()
    }
    return slot
  }
}

/// The object that a callback of libsystemd is for.
func callbackObject<T: AnyObject>(_ type: T.Type, at context: UnsafeMutableRawPointer?) -> T {
  guard let context else { preconditionFailure("libsystemd lost the context of a callback") }
  return Unmanaged<T>.fromOpaque(context).takeUnretainedValue()
}

/// A closure that receives messages, for `SlotContext`.
final class MessageHandler {
  let handle: (BusMessage) -> Void

  init(_ handle: @escaping (BusMessage) -> Void) {
    self.handle = handle
  }

  /// sd-bus's callback: `context` is a `MessageHandler`.
  static let callback: sd_bus_message_handler_t = { message, context, _ in
    guard let message else { return 0 }
    callbackObject(MessageHandler.self, at: context).handle(BusMessage(keeping: message))
    return 0
  }
}
