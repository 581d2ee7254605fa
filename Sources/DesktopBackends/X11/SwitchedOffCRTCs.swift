// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// The CRTCs that a rotation has switched off and that are still off, in their state before.
///
/// They are stored in a property of the root window. The rotation writes it together with the request that switches
/// them off, so that the next daemon finds them even if this one is killed.
final class SwitchedOffCRTCs {
  private(set) var all: [RandRState.CRTC]
  /// Why one of them could not be lit again; `nil` while that has not been tried.
  private(set) var problem: Phrase?
  private let connection: X11Connection

  /// Reads the property at once: an earlier daemon may have left CRTCs off.
  init(_ connection: X11Connection) throws(Message) {
    self.connection = connection
    let property = X11Property(
      rootOf: connection, .switchedOffCRTCs, type: XCB_ATOM_CARDINAL, words: CRTCRecord.maximumNumbers)
    all = CRTCRecord.crtcs(from: property.numbers() ?? [])
    try connection.checkAnswers()
  }

  /// Sends the property, without flushing. A CRTC that is already off keeps its recorded position.
  func add(_ crtcs: [RandRState.CRTC]) {
    let new = crtcs.filter { $0.isLit }
    guard !new.isEmpty else { return }
    all = all.filter { old in !new.contains { $0.id == old.id } } + new
    send()
  }

  /// Sends the property, without flushing: a rotation is reported first. If the property stays, it is harmless, since
  /// its CRTCs are lit.
  func remove(where isDone: (RandRState.CRTC) -> Bool) {
    let remaining = all.filter { !isDone($0) }
    guard remaining.count < all.count else { return }
    all = remaining
    if remaining.isEmpty { problem = nil }
    send()
  }

  /// Keeps the first problem, so that the message to the user does not change with each attempt.
  func recordFailure(because problem: Phrase) {
    self.problem = self.problem ?? problem
  }

  private func send() {
    let (property, numbers) = (connection.atoms[.switchedOffCRTCs], CRTCRecord.numbers(of: all))
    if numbers.isEmpty {
      xcb_delete_property(connection.handle, connection.root, property)
    } else {
      xcb_change_property(
        connection.handle, UInt8(XCB_PROP_MODE_REPLACE.rawValue), connection.root, property,
        XCB_ATOM_CARDINAL.rawValue, 32, UInt32(numbers.count), numbers)
    }
  }
}

/// A CRTC as 32-bit numbers: its id, mode, rectangle, rotation and outputs.
enum CRTCRecord {
  /// The length of a record without its outputs.
  private static let head = 8
  private static let maximumOutputs = 16
  private static let maximumCRTCs = 16
  /// The sizes and positions that RandR can represent.
  private static let side = 0..<32768
  static let maximumNumbers = UInt32(maximumCRTCs * (head + maximumOutputs))

  static func numbers(of crtcs: [RandRState.CRTC]) -> [UInt32] {
    crtcs.prefix(maximumCRTCs).flatMap { crtc -> [UInt32] in
      let place = crtc.rectangle
      let outputs = crtc.outputs.prefix(maximumOutputs)
      let sides = [place.x, place.y, place.width, place.height].map { UInt32(clamping: $0) }
      return [crtc.id, crtc.mode] + sides + [UInt32(crtc.rotation), UInt32(outputs.count)] + outputs
    }
  }

  /// Any client may have written the numbers: an invalid record, and all behind it, are ignored.
  static func crtcs(from numbers: [UInt32]) -> [RandRState.CRTC] {
    var (crtcs, rest): ([RandRState.CRTC], ArraySlice<UInt32>) = ([], numbers[...])
    while crtcs.count < maximumCRTCs, let crtc = crtc(takenFrom: &rest) { crtcs.append(crtc) }
    return crtcs
  }

  private static func crtc(takenFrom rest: inout ArraySlice<UInt32>) -> RandRState.CRTC? {
    guard rest.count >= head else { return nil }
    let numbers = Array(rest.prefix(head))
    let sides = numbers[2..<6].map { Int($0) }
    let count = Int(numbers[7])
    guard sides.allSatisfy(side.contains), let rotation = UInt16(exactly: numbers[6]), numbers[1] != 0,
      DisplayTransform(randrRotation: rotation) != nil, 1...maximumOutputs ~= count,
      rest.count >= head + count
    else { return nil }
    let outputs = Array(rest.dropFirst(head).prefix(count))
    rest = rest.dropFirst(head + count)
    return RandRState.CRTC(
      id: numbers[0], mode: numbers[1],
      rectangle: ScreenRectangle(x: sides[0], y: sides[1], width: sides[2], height: sides[3]),
      rotation: rotation, rotations: 0, outputs: outputs, transform: .identity)
  }
}
