// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import Glibc

/// Why a connection to a compositor does not work any more.
nonisolated enum WaylandError: Error, Equatable, CustomStringConvertible {
  case ended
  /// The compositor said that we broke a protocol; libwayland's words of it.
  case thrownOut(words: String)
  /// It does not answer. The connection may still live.
  case silent
  case broken(reason: String)

  /// What has become of a display that failed.
  /// - Parameter log: the last words of libwayland.
  init(_ display: OpaquePointer, log: String) {
    switch wl_display_get_error(display) {
    case 0, EPIPE, ECONNRESET: self = .ended
    case EPROTO: self = .thrownOut(words: Self.protocolError(display, log: log))
    case let code: self = .broken(reason: log.isEmpty ? String(cString: strerror(code)) : log)
    }
  }

  private static func protocolError(_ display: OpaquePointer, log: String) -> String {
    guard log.isEmpty else { return log }
    var interface: UnsafePointer<wl_interface>?
    let code = wl_display_get_protocol_error(display, &interface, nil)
    let name = interface.map { String(cString: $0.pointee.name) } ?? "an object"
    return "error \(code) of \(name)"
  }

  var description: String {
    switch self {
    case .ended: "the compositor has ended"
    case .thrownOut(let words): "the compositor closed the connection (\(words))"
    case .silent: "the compositor does not answer"
    case .broken(let reason): "the connection to the compositor is broken (\(reason))"
    }
  }
}

/// libwayland tells the words of an error only to its log, which is standard error unless it is taken.
enum WaylandLog {
  /// The last line, without its end.
  private(set) static var last = ""

  static func take() {
    wl_log_set_handler_client { format, arguments in
      guard let format, let arguments else { return }
      MainActor.assumeIsolated { WaylandLog.last = "" }
      let line = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let start = buffer.baseAddress, vsnprintf(start, buffer.count, format, arguments) >= 0
        else { return "" }
        return String(cString: start)
      }
      let words = String(line.prefix { !$0.isNewline }).printable()
      MainActor.assumeIsolated { WaylandLog.last = words }
    }
  }
}
