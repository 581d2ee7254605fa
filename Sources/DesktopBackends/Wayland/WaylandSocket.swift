// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The socket of a compositor: its path, and a connection with a time limit.
enum WaylandSocket {
  /// - Parameter display: a name or a path; overrides `WAYLAND_DISPLAY`.
  static func path(
    display: String?, variable: (String) -> String? = Environment.variable
  ) throws(Message) -> String {
    guard let name = display ?? variable("WAYLAND_DISPLAY"), !name.isEmpty else { throw .noWaylandDisplay }
    if name.hasPrefix("/") { return name }
    guard let directory = variable("XDG_RUNTIME_DIR"), !directory.isEmpty else {
      throw .noRuntimeDirectory(display: name)
    }
    return "\(directory)/\(name)"
  }

  /// - Parameter nanoseconds: the time limit while the backlog is full.
  static func connect(_ path: String, within nanoseconds: Int64) throws(Message) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else {
      throw .cannotConnect(to: path, reason: "\(String(cString: strerror(errno)))")
    }
    var limit = timeval(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let code = UnixSocket.connect(descriptor, to: path)
    guard code != 0 else { return descriptor }
    close(descriptor)
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR: throw .noCompositor(on: path)
    case EAGAIN, EINPROGRESS: throw .silentCompositor(on: path)
    case ENAMETOOLONG: throw .cannotConnect(to: path, reason: "the path is too long")
    default: throw .cannotConnect(to: path, reason: "\(String(cString: strerror(code)))")
    }
  }
}
