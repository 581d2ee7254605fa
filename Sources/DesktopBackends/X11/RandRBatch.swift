// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// An atomic change of outputs and touchscreen matrices.
///
/// All requests, including those that read the result, leave in one write, protected by a `ConnectionKeepAlive`: if
/// this process is killed the next instant, the server still carries out all of them, and the grab ends.
struct RandRBatch {
  let randr: RandR
  let old: RandRState
  let new: RandRState
  var oldMatrices: [DeviceMatrix] = []
  var newMatrices: [DeviceMatrix] = []
  private var connection: X11Connection { randr.connection }

  /// The result, read while the server is still grabbed.
  struct Outcome {
    /// The first error.
    var error: Message?
    var screen: PixelSize?
    var crtcs: [RandRState.CRTC] = []
    /// Only the matrix of each device is read.
    var matrices: [DeviceMatrix] = []
  }

  /// Sends all requests, without waiting.
  func send() -> Sent {
    let handle = connection.handle
    let change = ScreenChange(from: old, to: new)
    // Sends what is buffered, so that the rest is one write.
    connection.flush()
    xcb_grab_server(handle)
    randr.switchedOff.add(old.crtcs.filter { change.switchedOff.contains($0.id) })
    let steps = sendSteps(change)
    let geometry = xcb_get_geometry(handle, connection.root)
    let crtcs = new.crtcs.filter(\.isLit).map { connection.requestCRTC($0.id) }
    let devices = newMatrices.map { connection.requestMatrix(of: $0.device, matrixOnly: true) }
    xcb_ungrab_server(handle)
    let end = X11Fence(handle)
    randr.keepAlive?.send()
    connection.flush()
    randr.forget()
    return Sent(batch: self, steps: steps, geometry: geometry, crtcs: crtcs, devices: devices, end: end)
  }

  /// A batch that was sent: the pending requests that change the screen, and those that read the result.
  struct Sent {
    let batch: RandRBatch
    fileprivate let steps: [X11Request<Void>]
    fileprivate let geometry: xcb_get_geometry_cookie_t
    fileprivate let crtcs: [X11Request<RandRState.CRTC>]
    fileprivate let devices: [() -> DeviceMatrix?]
    fileprivate let end: X11Fence

    /// - Returns: `nil` until the server has answered all of it.
    func outcome() -> Outcome? {
      let connection = batch.connection
      guard end.isPassed(connection.handle) else { return nil }
      batch.randr.forget()
      var outcome = Outcome()
      var replies = ReplyCollector()
      _ = replies.collectAll(steps)
      outcome.screen = replies.collect(try connection.reply(geometry, xcb_get_geometry_reply, RandR.size))
      outcome.crtcs = replies.collectAll(crtcs)
      outcome.matrices = devices.compactMap { $0() }
      outcome.error = replies.failure
      return outcome
    }
  }

  /// Sends the requests that change the screen and the matrices.
  private func sendSteps(_ change: ScreenChange) -> [X11Request<Void>] {
    let off = change.switchedOff.map {
      configure($0, mode: 0, x: 0, y: 0, rotation: DisplayTransform.none.randrRotation, outputs: [])
    }
    let size = change.screen.map(resize)
    let set = change.set.map {
      configure(
        $0.id, mode: $0.mode, x: $0.rectangle.x, y: $0.rectangle.y, rotation: $0.rotation,
        outputs: $0.outputs)
    }
    for (old, new) in zip(oldMatrices, newMatrices) { new.send(connection, replacing: old) }
    return off + [size].compactMap { $0 } + set
  }

  /// Values are clamped to RandR's types. The server refuses the limits, which another program's layout may lead to.
  private func resize(_ screen: RandRState.Screen) -> X11Request<Void> {
    let cookie = xcb_randr_set_screen_size_checked(
      connection.handle, connection.root, UInt16(clamping: screen.size.width),
      UInt16(clamping: screen.size.height), UInt32(clamping: screen.millimetres.width),
      UInt32(clamping: screen.millimetres.height))
    return X11Request { [connection] () throws(Message) in try connection.check(cookie) }
  }

  private func configure(
    _ id: UInt32, mode: UInt32, x: Int, y: Int, rotation: UInt16, outputs: [UInt32]
  ) -> X11Request<Void> {
    let cookie = xcb_randr_set_crtc_config(
      connection.handle, id, 0, old.timestamps.configured, Int16(clamping: x), Int16(clamping: y), mode,
      rotation, UInt32(outputs.count), outputs)
    return X11Request { [connection] () throws(Message) in
      let status = try connection.reply(cookie, xcb_randr_set_crtc_config_reply) { $0.pointee.status }
      guard status == XCB_RANDR_SET_CONFIG_SUCCESS.rawValue else { throw Message.randRStatus(status) }
    }
  }
}
