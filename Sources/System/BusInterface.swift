// SPDX-License-Identifier: MIT

/// What an object offers under one interface name.
package struct BusInterface {
  package let name: String
  package let methods: [BusMethod]
  package let properties: [BusProperty]
  package let signals: [BusSignal]
  let callsPerSecond: Int?

  /// - Parameter callsPerSecond: how many calls of one caller are taken, for long; for a moment it is twice
  ///   as many, and the others are answered with an error. `nil` for those of a service that is trusted.
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

/// An argument: its name for people, its D-Bus type for programs.
nonisolated package struct BusArgument: Equatable, Sendable {
  package let name: String
  package let type: String
  /// Of a text in it, in bytes of UTF-8.
  package let longestText: Int
  /// Of an array in it.
  package let mostElements: Int

  /// The limits are those of what comes in.
  package init(_ name: String, _ type: String, longestText: Int = 1024, mostElements: Int = 256) {
    self.name = name
    self.type = type
    self.longestText = longestText
    self.mostElements = mostElements
  }

  func check(_ value: Value) throws(BusError) {
    switch value {
    case .string(let text) where text.utf8.count > longestText:
      throw tooLarge("a text of more than \(longestText) bytes")
    case .array(_, let elements):
      guard elements.count <= mostElements else { throw tooLarge("more than \(mostElements) elements") }
      for element in elements { try check(element) }
    case .structure(let members):
      for member in members { try check(member) }
    case .variant(let inner): try check(inner)
    case .dictionary(let dictionary):
      guard dictionary.count <= mostElements else { throw tooLarge("more than \(mostElements) entries") }
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
  /// Answers with what it returns; `nil` if it keeps the call, to answer with `reply` or `fail` when it can.
  package let handler: (MethodCall) throws -> [Value]?

  /// Handlers get arguments of the types and within the limits in `takes`, no others; a thrown `BusError` is the answer
  /// as it is, any other error as `org.freedesktop.DBus.Error.Failed` with its description.
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
