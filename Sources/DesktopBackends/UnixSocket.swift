// SPDX-License-Identifier: MIT

import Glibc

/// Calls of the C library on Unix sockets.
nonisolated enum UnixSocket {
  /// - Returns: an errno; 0 for success.
  static func connect(_ descriptor: Int32, to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
  }

  /// The process at the other end: the server of a client's socket. `nil` if it cannot be seen.
  static func peer(of descriptor: Int32) -> Int32? {
    // `struct ucred`, which Glibc's module lacks: process, user, group.
    var peer: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    let code = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)
    return code == 0 && peer.process > 0 ? peer.process : nil
  }
}
