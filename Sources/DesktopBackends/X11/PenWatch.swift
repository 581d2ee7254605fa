// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Which pens are near the panel.
///
/// Proximity events go to the window below the pen, and to nobody else if that wants them. But a pen that comes moves,
/// which everybody may hear; and whether it is still there can be asked. So its motion is heard only while it is away,
/// and it is asked for only while it is near: a pen in its garage costs nothing, one at work no event.
final class PenWatch {
  /// Nanoseconds between two questions.
  private static let pace: Int64 = 100_000_000

  private let input: XInput
  private var timer: EventTimer?
  private var isWanted = false
  private var pens: Set<xcb_input_device_id_t> = []
  private var near: Set<xcb_input_device_id_t> = []
  private var isDue = false
  private var isToldNear = false

  /// - Parameter due: called when `refresh` has something to ask.
  init(_ input: XInput, loop: EventLoop, due: @escaping () -> Void) throws {
    self.input = input
    timer = try loop.timer { [weak self] in
      self?.isDue = true
      due()
    }
  }

  isolated deinit {
    timer?.cancel()
  }

  /// Finds the devices anew.
  func find(_ settings: DisplaySettings) throws(Message) {
    guard isWanted || settings.watchesPens else { return }
    isWanted = settings.watchesPens
    let found = isWanted ? try input.pens(settings) : []
    for gone in pens.subtracting(found) { input.hearMotion(of: gone, false) }
    for new in found.subtracting(pens) { input.hearMotion(of: new, true) }
    pens = found
    near.formIntersection(found)
    input.connection.flush()
  }

  func moved(_ pen: xcb_input_device_id_t) {
    guard pens.contains(pen), near.insert(pen).inserted else { return }
    input.hearMotion(of: pen, false)
    input.connection.flush()
    timer?.arm(at: EventLoop.now + Self.pace)
  }

  /// Asks what is due.
  func refresh() throws(Message) {
    guard isDue else { return }
    let still = input.near(near)
    try input.connection.checkAnswers()
    isDue = false
    for gone in near.subtracting(still) { input.hearMotion(of: gone, true) }
    near = still
    input.connection.flush()
    if !near.isEmpty { timer?.arm(at: EventLoop.now + Self.pace) }
  }

  /// What is to be told, once.
  var news: Event? {
    guard near.isEmpty == isToldNear else { return nil }
    isToldNear.toggle()
    return isToldNear ? .penCame : .penLeft
  }
}

extension XInput {
  /// Those that lie on a panel and know of proximity.
  fileprivate func pens(_ settings: DisplaySettings) throws(Message) -> Set<xcb_input_device_id_t> {
    let drawn = try devices().filter { device in
      device.isEnabled && device.isPointer && device.isAbsolute && device.touch == .none
        && settings.includes(device.name, onPanel: connection.atoms.isOnPanel(device.type))
    }
    let found = knowingProximity(drawn.map(\.id))
    try connection.checkAnswers()
    return found
  }
}
