// SPDX-License-Identifier: MIT

import Glibc
import Language
import PrivateBus
import System
import Testing

@testable import autorotate

/// The shipped XML file matches the service's introspection.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct ControlIntrospectionTests {
  @Test func `the shipped file matches the introspection`() throws {
    let control = try ControlHome()
    let introspection = BusTarget(
      service: ControlInterface.name, path: ControlInterface.path,
      interface: "org.freedesktop.DBus.Introspectable")
    let own = try control.answer("Introspect", of: introspection).get().read(0, as: String.self)
    let shipped = Self.members(of: try Self.file("packaging/dbus/org.autorotate.Autorotate1.xml"))
    #expect(shipped == Self.members(of: own))
    #expect(shipped.count == 20 + 22 + 3)
    #expect(shipped["method Request"] == ["in mask as", "in app s", "in why s", "out id u"])
    #expect(shipped["signal DidRotate"] == ["out from s", "out to s", "out width u", "out height u"])
    #expect(shipped["property LockEndTime"] == ["t read"])
  }

  /// Clients of an older version still find all members: Autorotate1 only grows.
  @Test(arguments: [("0.1.0", 29), ("1.0.0-rc1", 42)])
  func `released members are still served`(version: String, count: Int) throws {
    let released = Self.members(of: try Self.file("Tests/AutorotateTests/Released/\(version).xml"))
    let shipped = Self.members(of: try Self.file("packaging/dbus/org.autorotate.Autorotate1.xml"))
    #expect(released.count == count)
    for (member, arguments) in released {
      #expect(shipped[member].map(Self.types) == Self.types(arguments), "\(member)")
    }
  }

  /// Clients depend on types; the names of arguments are documentation.
  private static func types(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      let words = argument.split(separator: " ")
      return words.count == 3 ? "\(words[0]) \(words[2])" : argument
    }
  }

  /// "method Lock" → its arguments, in order.
  private static func members(of xml: String) -> [String: [String]] {
    var members: [String: [String]] = [:]
    var isOurs = false
    var member = ""
    for tag in tags(in: xml) {
      let name = tag.attributes["name"] ?? ""
      switch tag.name {
      case "interface": isOurs = name == ControlInterface.name
      case "method", "signal", "property":
        guard isOurs else { continue }
        member = "\(tag.name) \(name)"
        let access = tag.attributes["access"].map { "\(tag.attributes["type"] ?? "") \($0)" }
        members[member] = access.map { [$0] } ?? []
      case "arg":
        guard isOurs else { continue }
        let direction = tag.attributes["direction"] ?? "out"
        members[member]?.append("\(direction) \(name) \(tag.attributes["type"] ?? "")")
      default: continue
      }
    }
    return members
  }

  private struct Tag {
    var name: String
    var attributes: [String: String]
  }

  /// All opening tags, as far as needed for the XML of sd-bus and our file.
  private static func tags(in xml: String) -> [Tag] {
    var tags: [Tag] = []
    var rest = xml[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...]
      let isComment = rest.hasPrefix("<!--")
      guard let end = rest.firstRange(of: isComment ? "-->" : ">") else { break }
      let inside = rest[..<end.lowerBound].dropFirst()
      rest = rest[end.upperBound...]
      if !isComment, let first = inside.first, first.isLetter { tags.append(tag(inside)) }
    }
    return tags
  }

  private static func tag(_ inside: Substring) -> Tag {
    let pieces = inside.split(separator: "\"", omittingEmptySubsequences: false)
    let words = pieces[0].split(whereSeparator: \.isWhitespace)
    var attributes: [String: String] = [:]
    for index in stride(from: 0, to: pieces.count - 1, by: 2) {
      let key = pieces[index].split(whereSeparator: { $0.isWhitespace || $0 == "=" || $0 == "/" }).last
      attributes[String(key ?? "")] = String(pieces[index + 1])
    }
    let name = words.first.map { $0.hasSuffix("/") ? String($0.dropLast()) : String($0) }
    return Tag(name: name ?? "", attributes: attributes)
  }

  private static func file(_ name: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/\(name)"
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw SystemError(call: path, code: errno) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
