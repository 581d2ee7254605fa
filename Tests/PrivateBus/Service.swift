// SPDX-License-Identifier: MIT

import Foundation
import Glibc
package import System

/// A call that `Stranger.serve` answers.
nonisolated package struct ServedCall: Sendable {
  /// Of the object.
  package let path: String
  /// The member, followed by the property's name for `Get` and `Set`: "Get Active".
  package let name: String
  /// The new value for `Set`, if it is a text or a Boolean.
  package let value: Value?
}

/// The thread of `Stranger.serve`; it ends with the bus.
nonisolated final class Service: Sendable {
  private let descriptor: Int32
  private let answer: @Sendable (ServedCall) -> [Value]?

  /// - Parameter descriptor: of a connection that is on the bus; closed at the end.
  init(_ descriptor: Int32, _ answer: @escaping @Sendable (ServedCall) -> [Value]?) {
    self.descriptor = descriptor
    self.answer = answer
  }

  func start() {
    Thread { [self] in
      var serial: UInt32 = 1_000_000
      while let call = ReceivedMessage(from: descriptor) {
        serial += 1
        if call.isCall { try? Stranger.write(reply(to: call, serial), to: descriptor) }
      }
      close(descriptor)
    }.start()
  }

  private func reply(to call: ReceivedMessage, _ serial: UInt32) -> [UInt8] {
    var fields: [(UInt8, Value)] = [(5, .uint32(call.serial)), (6, .string(call.texts[7] ?? ""))]
    if let answer = answer(call.served) { return Stranger.message(2, serial, fields, answer) }
    fields.append((4, .string("org.freedesktop.DBus.Error.UnknownMethod")))
    return Stranger.message(3, serial, fields, [])
  }
}

/// A message in the wire format of D-Bus, little-endian.
nonisolated private struct ReceivedMessage {
  let isCall: Bool
  let serial: UInt32
  /// The texts of the header by the number of their field.
  private(set) var texts: [UInt8: String] = [:]
  private let body: [UInt8]

  /// Waits for one.
  /// - Returns: `nil` at the end of the connection.
  init?(from descriptor: Int32) {
    guard let start = Self.read(16, from: descriptor) else { return nil }
    isCall = start[1] == 1
    serial = Self.number(start, 8)
    let size = Int(Self.number(start, 12))
    guard let header = Self.read((size + 7) / 8 * 8, from: descriptor),
      let body = Self.read(Int(Self.number(start, 4)), from: descriptor)
    else { return nil }
    self.body = body
    var place = 0
    while place < size { place = (readField(header, place) + 7) / 8 * 8 }
  }

  var served: ServedCall {
    let (path, member) = (texts[1] ?? "", texts[3] ?? "")
    guard member == "Get" || member == "Set" else { return ServedCall(path: path, name: member, value: nil) }
    // The interface comes first.
    let property = Self.aligned(Self.endOfText(body, 0))
    let value = member == "Set" ? Self.variant(body, Self.endOfText(body, property)) : nil
    return ServedCall(path: path, name: "\(member) \(Self.text(body, property))", value: value)
  }

  /// - Returns: where the field ends.
  private mutating func readField(_ header: [UInt8], _ place: Int) -> Int {
    // The number, and a signature of one letter.
    let (number, type) = (header[place], header[place + 2])
    let value = place + 4
    switch type {
    case UInt8(ascii: "s"), UInt8(ascii: "o"):
      texts[number] = Self.text(header, value)
      return Self.endOfText(header, value)
    case UInt8(ascii: "g"): return value + 1 + Int(header[value]) + 1
    default: return value + 4
    }
  }

  /// After a signature of one letter.
  private static func variant(_ bytes: [UInt8], _ place: Int) -> Value? {
    let value = aligned(place + 3)
    switch bytes[place + 1] {
    case UInt8(ascii: "b"): return .bool(number(bytes, value) != 0)
    case UInt8(ascii: "s"): return .string(text(bytes, value))
    default: return nil
    }
  }

  private static func aligned(_ place: Int) -> Int { (place + 3) / 4 * 4 }

  private static func endOfText(_ bytes: [UInt8], _ place: Int) -> Int {
    place + 4 + Int(number(bytes, place)) + 1
  }

  private static func text(_ bytes: [UInt8], _ place: Int) -> String {
    String(decoding: bytes[(place + 4)...].prefix(Int(number(bytes, place))), as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
  }

  private static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more = bytes[done...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      guard more > 0 else { return nil }
      done += more
    }
    return bytes
  }
}
