// SPDX-License-Identifier: MIT

// In release builds this module replaces Foundation's of the same name, for swift-argument-parser alone: nothing else
// imports it. The parser needs it for errors that conform to LocalizedError (there are none) and for
// --experimental-dump-help, which prints an empty line then. Without Foundation, the program is 5 MB smaller, and needs
// 0.13 MB less memory. When an update of the parser needs more, the build fails here.

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

public struct Data {}

public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let prettyPrinted = Self(rawValue: 1)
    public static let sortedKeys = Self(rawValue: 2)
  }

  struct Unsupported: Error {}

  public var outputFormatting: OutputFormatting = []

  public init() {}

  public func encode<T: Encodable>(_ value: T) throws -> Data { throw Unsupported() }
}

extension String {
  public enum Encoding { case utf8 }

  public init?(data: Data, encoding: Encoding) { return nil }
}
