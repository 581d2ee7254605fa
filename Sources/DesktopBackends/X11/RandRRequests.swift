// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// A list at the end of a reply.
func array<Element>(_ start: UnsafeMutablePointer<Element>?, _ count: Int32) -> [Element] {
  Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
}

extension X11Connection {
  func requestCRTC(_ id: UInt32) -> X11Request<RandRState.CRTC> {
    let info = xcb_randr_get_crtc_info(handle, id, 0)
    let transform = xcb_randr_get_crtc_transform(handle, id)
    return X11Request { [self] () throws(Message) in
      let found = Result { () throws(Message) in
        try reply(transform, xcb_randr_get_crtc_transform_reply) {
          ProjectiveTransform($0.pointee.current_transform)
        }
      }
      var crtc = try reply(info, xcb_randr_get_crtc_info_reply) { RandRState.CRTC(id, $0) }
      crtc.transform = try found.get()
      return crtc
    }
  }

  func requestConnector(_ id: UInt32) -> X11Request<RandRState.Connector> {
    let info = xcb_randr_get_output_info(handle, id, 0)
    let type = X11Property(ofOutput: id, self, .connectorType)
    let orientation = X11Property(ofOutput: id, self, .panelOrientation)
    return X11Request { [self] () throws(Message) in
      let isPanel = type.numbers()?.first == atoms[.panel]
      let mount = orientation.numbers()?.first
      var connector = try reply(info, xcb_randr_get_output_info_reply) { RandRState.Connector(id, $0) }
      try checkAnswers()
      connector.isBuiltIn = isPanel || Output.isNamedLikePanel(connector.name)
      connector.mount =
        switch mount {
        case atoms[.leftSideUp]: .leftSideUp
        case atoms[.upsideDown]: .upsideDown
        case atoms[.rightSideUp]: .rightSideUp
        default: .topUp
        }
      return connector
    }
  }
}

extension RandRState.CRTC {
  fileprivate init(_ id: UInt32, _ reply: UnsafeMutablePointer<xcb_randr_get_crtc_info_reply_t>) {
    let fixed = reply.pointee
    self.init(
      id: id, mode: fixed.mode,
      rectangle: ScreenRectangle(
        x: Int(fixed.x), y: Int(fixed.y), width: Int(fixed.width), height: Int(fixed.height)),
      rotation: fixed.rotation, rotations: fixed.rotations,
      outputs: array(xcb_randr_get_crtc_info_outputs(reply), xcb_randr_get_crtc_info_outputs_length(reply)),
      transform: .identity)
  }
}

extension RandRState.Connector {
  fileprivate init(_ id: UInt32, _ reply: UnsafeMutablePointer<xcb_randr_get_output_info_reply_t>) {
    let modes = array(xcb_randr_get_output_info_modes(reply), xcb_randr_get_output_info_modes_length(reply))
    let name = array(xcb_randr_get_output_info_name(reply), xcb_randr_get_output_info_name_length(reply))
    self.init(
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
