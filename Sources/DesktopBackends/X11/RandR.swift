// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// The RandR extension: reads the screen's state and recognises its events.
final class RandR {
  let connection: X11Connection
  let switchedOff: SwitchedOffCRTCs
  let keepAlive: ConnectionKeepAlive?
  private let firstEvent: UInt8
  /// The screen as reported by the connection setup or the last event. RandR has no request for the millimetres.
  private var reportedScreen: RandRState.Screen
  private(set) var hasProbed = false
  /// As last read; `nil` after an event that reports a change.
  private var latest: RandRState?

  init(_ connection: X11Connection) throws {
    self.connection = connection
    let screen = connection.screen
    guard try X11Extension("XWAYLAND", connection) == nil else {
      throw Message.isXWayland(connection.displayName)
    }
    guard let reply = cxcb_randr_extension(connection.handle), reply.pointee.present != 0,
      try Self.versionIsEnough(connection)
    else { throw Message.tooOldX(connection.displayName) }
    firstEvent = reply.pointee.first_event
    switchedOff = try SwitchedOffCRTCs(connection)
    keepAlive = try ConnectionKeepAlive(connection)
    reportedScreen = RandRState.Screen(
      size: PixelSize(width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels)),
      millimetres: PixelSize(
        width: Int(screen.width_in_millimeters), height: Int(screen.height_in_millimeters)))
    let events =
      XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE.rawValue
      | XCB_RANDR_NOTIFY_MASK_OUTPUT_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_OUTPUT_PROPERTY.rawValue
    xcb_randr_select_input(connection.handle, connection.root, UInt16(events))
  }

  /// Reads the state first to refuse an XWayland before 23.1: it has no extension of that name, but its output
  /// names begin so. The server does not probe for it, which can take longer than connecting may.
  func readFirst() throws {
    let state = try read(probing: false)
    guard !state.connectors.contains(where: { $0.name.hasPrefix("XWAYLAND") }) else {
      throw Message.isXWayland(connection.displayName)
    }
    latest = state
  }

  private static func versionIsEnough(_ connection: X11Connection) throws(Message) -> Bool {
    let cookie = xcb_randr_query_version(connection.handle, 1, 3)
    return try connection.reply(cookie, xcb_randr_query_version_reply) {
      ($0.pointee.major_version, $0.pointee.minor_version) >= (1, 3)
    }
  }

  /// - Returns: whether the event is RandR's, so that the state has to be read again.
  func isChange(_ event: X11Event) -> Bool {
    switch event.number - Int32(firstEvent) {
    case XCB_RANDR_SCREEN_CHANGE_NOTIFY: reportedScreen = RandRState.Screen(reportedBy: event.contents())
    case XCB_RANDR_NOTIFY: break
    default: return false
    }
    forget()
    return true
  }

  /// To be called after a change of our own, whose events are still to come.
  func forget() {
    latest = nil
  }

  /// Reads everything, in two rounds; in one if nothing has been set since the last time.
  func read() throws(Message) -> RandRState {
    var state = try read(probing: false)
    // Some servers, such as Xephyr, report nothing as lit until a client makes them probe.
    if !hasProbed, !state.crtcs.contains(where: \.isLit) {
      hasProbed = true
      state = try read(probing: true)
    }
    latest = state
    return state
  }

  private func read(probing: Bool) throws(Message) -> RandRState {
    let (handle, root) = (connection.handle, connection.root)
    let geometry = xcb_get_geometry(handle, root)
    let range = xcb_randr_get_screen_size_range(handle, root)
    var replies = ReplyCollector()
    let resources = replies.collect(try self.resources(probing: probing))
    let size = replies.collect(try connection.reply(geometry, xcb_get_geometry_reply, Self.size))
    let largest = replies.collect(
      try connection.reply(range, xcb_randr_get_screen_size_range_reply) {
        PixelSize(width: Int($0.pointee.max_width), height: Int($0.pointee.max_height))
      })
    guard let resources, let size, let largest else { throw replies.failure ?? .xServerHasEnded }
    if !probing, let latest, latest.timestamps == resources.timestamps { return latest }
    // The event of the last change may still wait in the queue, but its size is in this reply already.
    let screen = reportedScreen.resized(to: size)
    var state = RandRState(
      timestamps: resources.timestamps, screen: screen, largestScreen: largest, modes: resources.modes,
      crtcs: [], connectors: [])
    try readParts(resources, into: &state)
    return state
  }

  private func readParts(_ resources: RandRResources, into state: inout RandRState) throws(Message) {
    let crtcs = resources.crtcs.map { connection.requestCRTC($0) }
    let connectors = resources.outputs.map { connection.requestConnector($0) }
    var replies = ReplyCollector()
    state.crtcs = replies.collectAll(crtcs)
    state.connectors = replies.collectAll(connectors)
    try replies.check()
  }

  static func size(_ reply: UnsafeMutablePointer<xcb_get_geometry_reply_t>) -> PixelSize {
    PixelSize(width: Int(reply.pointee.width), height: Int(reply.pointee.height))
  }

  /// - Parameter probing: whether the server probes its connectors, which can take a second on real hardware. Both
  ///   requests have the same reply.
  private func resources(probing: Bool) throws(Message) -> RandRResources {
    let (handle, root) = (connection.handle, connection.root)
    let sequence =
      probing
      ? xcb_randr_get_screen_resources(handle, root).sequence
      : xcb_randr_get_screen_resources_current(handle, root).sequence
    return try connection.reply(
      xcb_randr_get_screen_resources_current_cookie_t(sequence: sequence),
      xcb_randr_get_screen_resources_current_reply
    ) { reply in
      RandRResources(
        timestamps: .init(set: reply.pointee.timestamp, configured: reply.pointee.config_timestamp),
        crtcs: array(
          xcb_randr_get_screen_resources_current_crtcs(reply),
          xcb_randr_get_screen_resources_current_crtcs_length(reply)),
        outputs: array(
          xcb_randr_get_screen_resources_current_outputs(reply),
          xcb_randr_get_screen_resources_current_outputs_length(reply)),
        modes: Self.modes(reply))
    }
  }

  private static func modes(
    _ reply: UnsafeMutablePointer<xcb_randr_get_screen_resources_current_reply_t>
  ) -> [UInt32: PixelSize] {
    let modes = array(
      xcb_randr_get_screen_resources_current_modes(reply),
      xcb_randr_get_screen_resources_current_modes_length(reply))
    let sizes = modes.map { ($0.id, PixelSize(width: Int($0.width), height: Int($0.height))) }
    return Dictionary(sizes) { first, _ in first }
  }
}

/// The CRTCs, outputs and modes, by XID.
private struct RandRResources {
  var timestamps: RandRState.Timestamps
  var crtcs: [UInt32]
  var outputs: [UInt32]
  var modes: [UInt32: PixelSize]
}

extension RandRState.Screen {
  /// The event reports width and height of the unrotated screen.
  fileprivate init(reportedBy event: xcb_randr_screen_change_notify_event_t) {
    let rotation = DisplayTransform(randrRotation: UInt16(event.rotation)) ?? .none
    self.init(
      size: PixelSize(width: Int(event.width), height: Int(event.height)).rotated(rotation),
      millimetres: PixelSize(width: Int(event.mwidth), height: Int(event.mheight)).rotated(rotation))
  }
}
