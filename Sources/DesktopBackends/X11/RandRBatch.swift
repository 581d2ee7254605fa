// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// A change of screen and touch that happens as a whole, or not at all.
///
/// All requests, the reading back included, leave in one write, and fit the server's input buffer. The
/// server answers a client only when it has worked off all that it has read from it, so even if this
/// process is killed the next instant nothing is left half done, and nothing grabbed.
struct RandRBatch {
  let connection: X11Connection
  let change: ScreenChange
  let oldMatrices: [DeviceMatrix]
  let newMatrices: [DeviceMatrix]

  /// What the server did, as read before anybody else had a turn.
  struct Outcome {
    /// The first one.
    var error: X11Error?
    var screen: RandRState.Size?
    var crtcs: [RandRState.CRTC] = []
    var matrices: [DeviceMatrix] = []
  }

  /// - Parameter crtcs: those to read back.
  func run(readingBack crtcs: [UInt32]) -> Outcome {
    let handle = connection.handle
    // What waits has left, so that the rest is one write.
    connection.flush()
    xcb_grab_server(handle)
    let steps = sendSteps()
    let reading = Reading(connection, crtcs: crtcs, devices: newMatrices.map(\.device))
    xcb_ungrab_server(handle)
    connection.flush()

    var outcome = Outcome()
    for step in steps {
      do { try step() } catch { outcome.error = outcome.error ?? error }
    }
    reading.collect(connection, into: &outcome)
    return outcome
  }

  /// - Returns: for each step, what waits for its end.
  private func sendSteps() -> [() throws(X11Error) -> Void] {
    let off = change.switchedOff.map { id in
      configure(id, mode: 0, x: 0, y: 0, rotation: DisplayTransform.none.randrRotation, outputs: [])
    }
    let resized = change.screen.map { screen in
      xcb_randr_set_screen_size_checked(
        connection.handle, connection.root, UInt16(screen.width), UInt16(screen.height),
        UInt32(screen.widthMillimetres), UInt32(screen.heightMillimetres))
    }
    let set = change.set.map { crtc in
      configure(
        crtc.id, mode: crtc.mode, x: crtc.rectangle.x, y: crtc.rectangle.y,
        rotation: crtc.rotation, outputs: crtc.outputs)
    }
    for (old, new) in zip(oldMatrices, newMatrices) { new.send(connection, replacing: old) }
    let resizing = resized.map { cookie in { () throws(X11Error) in try connection.check(cookie) } }
    return off + (resizing.map { [$0] } ?? []) + set
  }

  /// - Returns: what waits for the driver to have done it.
  private func configure(
    _ id: UInt32, mode: UInt32, x: Int, y: Int, rotation: UInt16, outputs: [UInt32]
  ) -> () throws(X11Error) -> Void {
    let cookie = xcb_randr_set_crtc_config(
      connection.handle, id, 0, change.configTimestamp, Int16(x), Int16(y), mode, rotation,
      UInt32(outputs.count), outputs)
    return { () throws(X11Error) in
      let status = try connection.reply(cookie, xcb_randr_set_crtc_config_reply) { $0.pointee.status }
      if status != 0 { throw .failed(status: status) }
    }
  }

  /// What is asked to see what the steps have done.
  private struct Reading {
    private let geometry: xcb_get_geometry_cookie_t
    private let crtcs: [CRTCRequest]
    private let devices: [DeviceMatrixRequest]

    init(_ connection: X11Connection, crtcs: [UInt32], devices: [PanelDevice]) {
      geometry = xcb_get_geometry(connection.handle, connection.root)
      self.crtcs = crtcs.map { CRTCRequest(connection.handle, $0) }
      self.devices = devices.map { DeviceMatrixRequest(connection, $0) }
    }

    func collect(_ connection: X11Connection, into outcome: inout Outcome) {
      do {
        outcome.screen = try connection.reply(geometry, xcb_get_geometry_reply) {
          RandRState.Size(width: Int($0.pointee.width), height: Int($0.pointee.height))
        }
      } catch { outcome.error = outcome.error ?? error }
      for request in crtcs {
        do { outcome.crtcs.append(try request.collect(connection)) } catch {
          outcome.error = outcome.error ?? error
        }
      }
      outcome.matrices = devices.compactMap { $0.collect(connection) }
    }
  }
}
