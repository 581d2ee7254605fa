// SPDX-License-Identifier: MIT

import Glibc
package import System
import Waiting

/// A hostile client of the bus: it sends messages that no library would, to any connection, and reads only on request.
package final class Stranger {
  nonisolated package enum Kind: UInt8, Sendable {
    case call = 1
    case reply = 2
    case signal = 4
  }

  private let bus: PrivateBus
  private let descriptor: Int32
  private var serial: UInt32 = 0

  /// Connects, and waits until it is on the bus.
  package init(on bus: PrivateBus) throws {
    self.bus = bus
    descriptor = try Self.connect(to: bus.socket)
    let user = String(getuid()).utf8.map { "3\($0 - 48)" }.joined()
    try write(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
    try read(until: "\r\n")
    try write(Array("BEGIN\r\n".utf8))
    try send(
      .call, to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "Hello")
    try read(until: "NameAcquired")
  }

  isolated deinit {
    close(descriptor)
  }

  /// Sends a signal to one connection, which the bus delivers regardless of that one's match rules.
  package func signal(
    to destination: String, _ source: BusTarget, _ member: String, _ arguments: [Value] = []
  ) throws {
    try send(
      .signal, to: destination, path: source.path, interface: source.interface, member: member, arguments)
  }

  /// Calls a method, and does not read the answer.
  package func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value] = [], expectsReply: Bool = true
  ) throws {
    try send(
      .call, to: target.service, path: target.path, interface: target.interface, member: member,
      expectsReply: expectsReply, arguments)
  }

  /// Sends a signal to each of the first connections of the bus.
  package func signalAll(_ source: BusTarget, _ member: String, _ arguments: [Value] = []) throws {
    for number in 0..<16 { try signal(to: ":1.\(number)", source, member, arguments) }
  }

  /// Sends the signal of the bus for another owner of `name`.
  package func spoofOwner(_ owner: String, of name: String, was old: String = "") throws {
    try signalAll(.driver, "NameOwnerChanged", [.string(name), .string(old), .string(owner)])
  }

  /// Returns when the bus has delivered all messages, and the loop has handled them.
  package func settle() throws {
    repeat {
      for _ in 1...2 { try flush() }
    } while try bus.loop.runPending()
  }

  /// The bus answers after it has delivered the messages read before, as in `PrivateBus.flush`.
  private func flush() throws {
    try read(until: sendUnknownCall())
  }

  /// - Returns: a text in the answer of the bus.
  private func sendUnknownCall() throws -> String {
    let unknown = "NoSuchMethod\(serial)"
    try send(
      .call, to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: unknown)
    return unknown
  }

  package func send(
    _ kind: Kind, to destination: String, path: String? = nil, interface: String? = nil,
    member: String? = nil, answering: UInt32? = nil, expectsReply: Bool = true, _ arguments: [Value] = []
  ) throws {
    serial += 1
    var fields: [(UInt8, Value)] = []
    if let path { fields.append((1, .objectPath(path))) }
    if let interface { fields.append((2, .string(interface))) }
    if let member { fields.append((3, .string(member))) }
    if let answering { fields.append((5, .uint32(answering))) }
    fields.append((6, .string(destination)))
    try write(Self.message(kind.rawValue, serial, fields, arguments, expectsReply: expectsReply))
  }

  /// - Parameter fields: of the header, without the signature.
  nonisolated static func message(
    _ kind: UInt8, _ serial: UInt32, _ fields: [(UInt8, Value)], _ arguments: [Value],
    expectsReply: Bool = true
  ) -> [UInt8] {
    var fields = fields
    if !arguments.isEmpty { fields.append((8, .signature(arguments.map(\.typeSignature).joined()))) }
    var body = WireWriter()
    arguments.forEach { body.append($0) }
    var head = WireWriter()
    head.bytes = [UInt8(ascii: "l"), kind, expectsReply ? 0 : 1, 1]
    head.append(.uint32(UInt32(body.bytes.count)))
    head.append(.uint32(serial))
    head.append(
      .array(of: "(yv)", fields.map { .structure([.byte($0.0), .variant($0.1)]) }))
    head.align(to: 8)
    return head.bytes + body.bytes
  }

  /// Answers calls from now on, on a thread of its own: for code that waits for the answer on the thread of the test.
  /// - Parameters:
  ///   - names: which it owns.
  ///   - answers: by the member, followed by the property's name for `Get`. Other calls fail.
  package func serve(_ names: [String], _ answers: [String: [Value]]) throws {
    try serve(names) { answers[$0.name] }
  }

  /// - Parameter answer: called on that thread; `nil` makes the call fail.
  package func serve(_ names: [String], _ answer: @escaping @Sendable (ServedCall) -> [Value]?) throws {
    for name in names { try call(.driver, "RequestName", [.string(name), .uint32(0)]) }
    // The bus answers in order.
    _ = try hasReceived("")
    Service(dup(descriptor), answer).start()
  }

  private func write(_ bytes: [UInt8]) throws { try Self.write(bytes, to: descriptor) }

  nonisolated static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    let noSignal = Int32(MSG_NOSIGNAL)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, noSignal) }
      guard count > 0 else { throw SystemError(call: "send", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether `word` is in a message received since the last read.
  package func hasReceived(_ word: String) throws -> Bool {
    let end = try sendUnknownCall()
    return try read(until: end).contains(word)
  }

  /// Reads until `word` has been received.
  @discardableResult
  private func read(until word: String) throws -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: received, as: UTF8.self).contains(word) {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw SystemError(call: "read", code: errno) }
      received += buffer.prefix(count)
    }
    return String(decoding: received, as: UTF8.self)
  }

  /// Connects to any Unix socket.
  nonisolated package static func connect(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw SystemError(call: "connect", code: errno) }
    return descriptor
  }
}

/// The wire format of D-Bus, little-endian.
nonisolated private struct WireWriter {
  var bytes: [UInt8] = []

  mutating func align(to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  mutating func append(_ value: Value) {
    switch value {
    case .byte(let number): bytes.append(number)
    case .bool(let bool): integer(UInt32(bool ? 1 : 0))
    case .int32(let number): integer(number)
    case .uint32(let number): integer(number)
    case .uint64(let number): integer(number)
    case .double(let number): integer(number.bitPattern)
    case .string(let text), .objectPath(let text): append(text)
    case .signature(let text): signature(text)
    case .variant(let inner):
      signature(inner.typeSignature)
      append(inner)
    case .structure(let members):
      align(to: 8)
      members.forEach { append($0) }
    case .array(let element, let elements): append(elements, alignment: Self.alignment(of: element))
    case .dictionary(let dictionary):
      append(dictionary.map { .structure([.string($0.key), .variant($0.value)]) }, alignment: 8)
    default: preconditionFailure("no test has sent a \(value.typeSignature) yet")
    }
  }

  private mutating func append(_ elements: [Value], alignment: Int) {
    integer(UInt32(0))
    let place = bytes.count - 4
    align(to: alignment)
    let start = bytes.count
    elements.forEach { append($0) }
    let length = UInt32(bytes.count - start)
    for offset in 0..<4 { bytes[place + offset] = UInt8(truncatingIfNeeded: length >> (8 * offset)) }
  }

  private mutating func append(_ text: String) {
    integer(UInt32(text.utf8.count))
    bytes += text.utf8
    bytes.append(0)
  }

  private mutating func signature(_ text: String) {
    bytes.append(UInt8(text.utf8.count))
    bytes += text.utf8
    bytes.append(0)
  }

  private mutating func integer<T: FixedWidthInteger>(_ number: T) {
    align(to: MemoryLayout<T>.size)
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private static func alignment(of element: String) -> Int {
    switch element.first {
    case "(", "{", "x", "t", "d": 8
    case "y", "g", "v": 1
    default: 4
    }
  }
}
