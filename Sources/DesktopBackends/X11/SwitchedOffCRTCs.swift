// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// The CRTCs that a rotation has switched off and that are not lit again, as they were before.
///
/// They are kept in a property of the root window. The rotation writes it together with the request that switches them
/// off, so that a daemon that is killed at any moment leaves it to the next one.
final class SwitchedOffCRTCs {
  private(set) var all: [RandRState.CRTC]
  /// Why one of them could not be lit again; `nil` while that has not been tried.
  private(set) var problem: Phrase?
  private let connection: X11Connection

  /// The property is read at once: another daemon may have left something.
  init(_ connection: X11Connection) throws(Message) {
    self.connection = connection
    let property = X11Property(
      connection, connection.root, connection.atoms[.switchedOffCRTCs], type: XCB_ATOM_CARDINAL,
      words: CRTCRecord.mostNumbers)
    all = CRTCRecord.crtcs(from: property.numbers(connection) ?? [])
    try connection.checkAnswers()
  }

  var isEmpty: Bool { all.isEmpty }

  /// Sends the property, without flushing. What is off already keeps the place that it had when it was lit.
  func add(_ crtcs: [RandRState.CRTC]) {
    let new = crtcs.filter { $0.isLit }
    guard !new.isEmpty else { return }
    all = all.filter { old in !new.contains { $0.id == old.id } } + new
    send()
  }

  /// Removes those that `state` shows lit, and those that nobody can light or needs.
  func removeRestored(in state: RandRState) {
    remove { !state.needsRestoring($0) }
    connection.flush()
  }

  /// Sends the property, without flushing: a rotation is reported first. One that stays behind is harmless, since its CRTCs
  /// are lit.
  func remove(where isDone: (RandRState.CRTC) -> Bool) {
    let left = all.filter { !isDone($0) }
    guard left.count < all.count else { return }
    all = left
    if left.isEmpty { problem = nil }
    send()
  }

  /// Keeps the first problem, so that the message to the user does not change with each attempt.
  func fail(because problem: Phrase) {
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

/// A CRTC as 32-bit numbers: its id, mode, place, rotation and outputs.
enum CRTCRecord {
  private static let fixed = 8
  private static let mostOutputs = 16
  private static let mostCRTCs = 16
  /// Screens are at most so large.
  private static let side = 0..<32768
  static let mostNumbers = UInt32(mostCRTCs * (fixed + mostOutputs))

  static func numbers(of crtcs: [RandRState.CRTC]) -> [UInt32] {
    crtcs.prefix(mostCRTCs).flatMap { crtc -> [UInt32] in
      let place = crtc.rectangle
      let outputs = crtc.outputs.prefix(mostOutputs)
      let sides = [place.x, place.y, place.width, place.height].map { UInt32(clamping: $0) }
      return [crtc.id, crtc.mode] + sides + [UInt32(crtc.rotation), UInt32(outputs.count)] + outputs
    }
  }

  /// Any client may have written the numbers: those that make no sense, and all behind them, are left out.
  static func crtcs(from numbers: [UInt32]) -> [RandRState.CRTC] {
    var (crtcs, rest): ([RandRState.CRTC], ArraySlice<UInt32>) = ([], numbers[...])
    while crtcs.count < mostCRTCs, let crtc = crtc(takenFrom: &rest) { crtcs.append(crtc) }
    return crtcs
  }

  private static func crtc(takenFrom rest: inout ArraySlice<UInt32>) -> RandRState.CRTC? {
    guard rest.count >= fixed else { return nil }
    let head = Array(rest.prefix(fixed))
    let sides = head[2..<6].map { Int($0) }
    let count = Int(head[7])
    guard sides.allSatisfy(side.contains), let rotation = UInt16(exactly: head[6]), head[1] != 0,
      DisplayTransform(randrRotation: rotation) != nil, 1...mostOutputs ~= count, rest.count >= fixed + count
    else { return nil }
    let outputs = Array(rest.dropFirst(fixed).prefix(count))
    rest = rest.dropFirst(fixed + count)
    return RandRState.CRTC(
      id: head[0], mode: head[1],
      rectangle: ScreenRectangle(x: sides[0], y: sides[1], width: sides[2], height: sides[3]),
      rotation: rotation, rotations: 0, outputs: outputs, transform: .identity)
  }
}
