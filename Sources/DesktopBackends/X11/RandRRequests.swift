// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// A list at the end of a reply.
func array<Element>(_ start: UnsafeMutablePointer<Element>?, _ count: Int32) -> [Element] {
  Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
}

/// A pending request for the state of one CRTC.
struct CRTCRequest {
  private let id: UInt32
  private let info: xcb_randr_get_crtc_info_cookie_t
  private let transform: xcb_randr_get_crtc_transform_cookie_t

  init(_ handle: OpaquePointer, _ id: UInt32) {
    self.id = id
    info = xcb_randr_get_crtc_info(handle, id, 0)
    transform = xcb_randr_get_crtc_transform(handle, id)
  }

  func collect(_ connection: X11Connection) throws(Message) -> RandRState.CRTC {
    var replies = ReplyCollector()
    let crtc = replies.collect(try connection.reply(info, xcb_randr_get_crtc_info_reply, crtc))
    let transform = replies.collect(
      try connection.reply(transform, xcb_randr_get_crtc_transform_reply) {
        ProjectiveTransform($0.pointee.current_transform)
      })
    guard var crtc, let transform else { throw replies.failure ?? .xServerHasEnded }
    crtc.transform = transform
    return crtc
  }

  private func crtc(_ reply: UnsafeMutablePointer<xcb_randr_get_crtc_info_reply_t>) -> RandRState.CRTC {
    let fixed = reply.pointee
    return RandRState.CRTC(
      id: id, mode: fixed.mode,
      rectangle: ScreenRectangle(
        x: Int(fixed.x), y: Int(fixed.y), width: Int(fixed.width), height: Int(fixed.height)),
      rotation: fixed.rotation, rotations: fixed.rotations,
      outputs: array(xcb_randr_get_crtc_info_outputs(reply), xcb_randr_get_crtc_info_outputs_length(reply)),
      transform: .identity)
  }
}

extension ProjectiveTransform {
  /// From RENDER's fixed-point numbers with 16 fractional bits.
  fileprivate init(_ t: xcb_render_transform_t) {
    let fixed = [
      t.matrix11, t.matrix12, t.matrix13, t.matrix21, t.matrix22, t.matrix23,
      t.matrix31, t.matrix32, t.matrix33,
    ]
    self = Self(fixed.map { Double($0) / 65536 }) ?? .identity
  }
}

/// A pending request for the state of one connector.
struct ConnectorRequest {
  private let id: UInt32
  private let info: xcb_randr_get_output_info_cookie_t
  private let type: X11Property
  private let mount: X11Property

  init(_ connection: X11Connection, _ id: UInt32) {
    self.id = id
    info = xcb_randr_get_output_info(connection.handle, id, 0)
    type = X11Property(ofOutput: id, connection, .connectorType)
    mount = X11Property(ofOutput: id, connection, .panelOrientation)
  }

  func collect(_ connection: X11Connection) throws(Message) -> RandRState.Connector {
    let atoms = connection.atoms
    let type = type.numbers(connection)?.first
    let mount = mount.numbers(connection)?.first
    var connector = try connection.reply(info, xcb_randr_get_output_info_reply, connector)
    try connection.checkAnswers()
    connector.isBuiltIn = type == atoms[.panel] || Output.isNamedLikePanel(connector.name)
    connector.mount =
      switch mount {
      case atoms[.leftSideUp]: .leftSideUp
      case atoms[.upsideDown]: .upsideDown
      case atoms[.rightSideUp]: .rightSideUp
      default: .topUp
      }
    return connector
  }

  private func connector(
    _ reply: UnsafeMutablePointer<xcb_randr_get_output_info_reply_t>
  ) -> RandRState.Connector {
    let modes = array(xcb_randr_get_output_info_modes(reply), xcb_randr_get_output_info_modes_length(reply))
    let name = array(xcb_randr_get_output_info_name(reply), xcb_randr_get_output_info_name_length(reply))
    return RandRState.Connector(
      id: id, name: String(decoding: name, as: UTF8.self),
      isConnected: reply.pointee.connection == XCB_RANDR_CONNECTION_CONNECTED.rawValue,
      crtc: reply.pointee.crtc,
      possibleCRTCs: array(
        xcb_randr_get_output_info_crtcs(reply), xcb_randr_get_output_info_crtcs_length(reply)),
      // The preferred ones come first.
      preferredMode: modes.first ?? 0, isBuiltIn: false, mount: .topUp,
      size: PhysicalSize(width: Int(reply.pointee.mm_width), height: Int(reply.pointee.mm_height)))
  }
}
