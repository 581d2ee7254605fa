// SPDX-License-Identifier: MIT

import Autorotation

/// A message of the i3-IPC protocol, as sway-ipc(7) describes it.
typealias SwayMessage = CompositorMessage

extension SwayMessage {
  /// The types of requests; an answer has the type of its request.
  enum Request: UInt32 {
    case runCommand = 0
    case subscribe = 2
    case getOutputs = 3
    case getTree = 4
    case getVersion = 7
    case getConfig = 9
    case getInputs = 100
  }

  /// The types of events.
  enum Event: UInt32 {
    case workspace = 0x8000_0000
    case output = 0x8000_0001
    case window = 0x8000_0003
    case shutdown = 0x8000_0006
    case input = 0x8000_0015

    var name: String { "\(self)" }
  }

  init(_ request: Request, _ text: String = "") {
    self.init(type: request.rawValue, payload: Array(text.utf8))
  }

  fileprivate static let magic = Array("i3-ipc".utf8)
  fileprivate static let headerLength = magic.count + 8

  /// The magic, length and type in the byte order of the machine, and the payload.
  var bytes: [UInt8] {
    Self.magic + Self.bytes(UInt32(clamping: payload.count)) + Self.bytes(type) + payload
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }
}

/// Splits a stream into messages.
struct SwayMessages {
  /// The tree of a hundred windows has some 300 KB.
  static let maximumBytes = 32 * 1024 * 1024

  private var bytes: [UInt8] = []

  mutating func append(_ new: [UInt8]) {
    bytes += new
  }

  /// - Returns: `nil` if the next message is not complete yet.
  /// - Throws: if the stream is not i3-IPC.
  mutating func next() throws(Message) -> SwayMessage? {
    guard bytes.prefix(SwayMessage.magic.count).elementsEqual(SwayMessage.magic.prefix(bytes.count)) else {
      throw .garbled("it does not begin with i3-ipc")
    }
    guard bytes.count >= SwayMessage.headerLength else { return nil }
    let length = Int(number(at: SwayMessage.magic.count))
    guard length <= Self.maximumBytes else { throw .garbled("more than \(Self.maximumBytes) bytes") }
    let end = SwayMessage.headerLength + length
    guard bytes.count >= end else { return nil }
    let message = SwayMessage(
      type: number(at: SwayMessage.magic.count + 4), payload: Array(bytes[SwayMessage.headerLength..<end]))
    bytes.removeFirst(end)
    return message
  }

  private func number(at index: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
  }
}
