// SPDX-License-Identifier: MIT

/// What an object offers under one interface name.
package struct BusInterface {
  package let name: String
  package let methods: [BusMethod]
  package let properties: [BusProperty]
  package let signals: [BusSignal]

  package init(
    name: String, methods: [BusMethod] = [], properties: [BusProperty] = [], signals: [BusSignal] = []
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

/// An argument: its name for people, its D-Bus type for programs.
nonisolated package struct BusArgument: Equatable, Sendable {
  package let name: String
  package let type: String

  package init(_ name: String, _ type: String) {
    self.name = name
    self.type = type
  }
}

package struct BusMethod {
  package enum Handler {
    /// Answers with what it returns.
    case now((MethodCall) throws -> [Value])
    /// Keeps the call, and answers with `reply` or `fail` when it can.
    case later((MethodCall) throws -> Void)
  }

  package let name: String
  package let takes: [BusArgument]
  package let returns: [BusArgument]
  package let handler: Handler

  /// Handlers get arguments of the types in `takes`, no others; a thrown `BusError` is the answer
  /// as it is, any other error as `org.freedesktop.DBus.Error.Failed` with its description.
  package init(
    _ name: String, takes: [BusArgument] = [], returns: [BusArgument] = [], handler: Handler
  ) {
    self.name = name
    self.takes = takes
    self.returns = returns
    self.handler = handler
  }

  package init(
    _ name: String, takes: [BusArgument] = [], returns: [BusArgument] = [],
    _ handler: @escaping (MethodCall) throws -> [Value]
  ) {
    self.init(name, takes: takes, returns: returns, handler: .now(handler))
  }
}

/// A value that others may read and watch, not write.
package struct BusProperty {
  package let name: String
  package let type: String
  /// Must give values of `type`.
  package let value: () -> Value

  package init(_ name: String, _ type: String, _ value: @escaping () -> Value) {
    self.name = name
    self.type = type
    self.value = value
  }
}

nonisolated package struct BusSignal: Equatable, Sendable {
  package let name: String
  package let carries: [BusArgument]

  package init(_ name: String, carries: [BusArgument] = []) {
    self.name = name
    self.carries = carries
  }
}
