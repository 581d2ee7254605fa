// SPDX-License-Identifier: MIT

/// The members of an object under one interface name.
package struct BusInterface {
  package let name: String
  package let methods: [BusMethod]
  package let properties: [BusProperty]
  package let signals: [BusSignal]
  let callsPerSecond: Int?

  /// - Parameter callsPerSecond: the limit for one caller on average, with readings of properties; a burst may have
  ///   twice as many. A call counts once for each millisecond that it takes. Further calls are answered with an error.
  ///   `nil` for no limit, for trusted callers.
  package init(
    name: String, methods: [BusMethod] = [], properties: [BusProperty] = [], signals: [BusSignal] = [],
    callsPerSecond: Int? = nil
  ) {
    self.callsPerSecond = callsPerSecond
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

/// An argument: its name for developers, its D-Bus type for programs.
nonisolated package struct BusArgument: Equatable, Sendable {
  package let name: String
  package let type: String
  /// Bytes of UTF-8 in each text in it.
  package let maximumBytes: Int
  /// Elements in each array or dictionary in it.
  package let maximumCount: Int

  /// The limits apply to incoming values.
  package init(_ name: String, _ type: String, maximumBytes: Int = 1024, maximumCount: Int = 256) {
    self.name = name
    self.type = type
    self.maximumBytes = maximumBytes
    self.maximumCount = maximumCount
  }

  func check(_ value: Value) throws(BusError) {
    switch value {
    case .string(let text) where text.utf8.count > maximumBytes:
      throw tooLarge("a text of more than \(maximumBytes) bytes")
    case .array(_, let elements):
      guard elements.count <= maximumCount else { throw tooLarge("more than \(maximumCount) elements") }
      for element in elements { try check(element) }
    case .structure(let members): for member in members { try check(member) }
    case .variant(let inner): try check(inner)
    case .dictionary(let dictionary):
      guard dictionary.count <= maximumCount else { throw tooLarge("more than \(maximumCount) entries") }
      for value in dictionary.values { try check(value) }
    default: break
    }
  }

  private func tooLarge(_ what: String) -> BusError {
    BusError(BusError.invalidArguments, "the argument \(name) has \(what)")
  }
}

package struct BusMethod {
  package let name: String
  package let takes: [BusArgument]
  package let returns: [BusArgument]
  /// Returns the answer; `nil` if it keeps the call, to answer later with `reply` or `fail`.
  package let handler: (MethodCall) throws -> [Value]?

  /// Handlers get only arguments of the types and within the limits in `takes`. A thrown `BusError` is the answer; any
  /// other error is sent as `org.freedesktop.DBus.Error.Failed` with its description.
  package init(
    _ name: String, takes: [BusArgument] = [], returns: [BusArgument] = [],
    _ handler: @escaping (MethodCall) throws -> [Value]?
  ) {
    self.name = name
    self.takes = takes
    self.returns = returns
    self.handler = handler
  }
}

/// A read-only value that clients may watch; `value` must return values of `type`.
package typealias BusProperty = (name: String, type: String, value: () -> Value)

package typealias BusSignal = (name: String, carries: [BusArgument])
