// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// A stream connection to a compositor's Unix socket. Nothing here blocks, except `awaitReadable`.
final class CompositorSocket {
  enum Reading: Equatable {
    case bytes([UInt8])
    case nothing
    case end
  }

  /// The limit of a message or an answer, in bytes. The windows of a full desktop take some 300 KB.
  nonisolated static let maximumBytes = 32 * 1024 * 1024

  /// Far more than are ever pending: the compositor has not read or answered for long.
  static let maximumRequests = 64

  private var descriptor: Int32
  private var source: EventSource?
  /// Bytes read at once; more than most answers have.
  private static let portion = 64 * 1024

  /// - Throws: also if the listener's backlog is full, since this never blocks.
  init(connectingTo path: String) throws(Message) {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(AF_UNIX, Int32(type), 0)
    let code = descriptor < 0 ? errno : UnixSocket.connect(descriptor, to: path)
    guard code != 0 else { return }
    close()
    throw .nobodyListens(at: path, reason: String(cString: strerror(code)))
  }

  isolated deinit {
    close()
  }

  /// The process that listens there; `nil` if the kernel does not report it.
  var listener: Int32? { UnixSocket.peer(of: descriptor) }

  /// - Parameter readable: called when there is data to read, or the end of the stream.
  func watch(on loop: EventLoop, readable: @escaping () -> Void) throws {
    source = try loop.watch(descriptor, readable)
  }

  /// What has come so far, or a part of it.
  func read() -> Reading {
    var count = 0
    // Uninitialized: pages that are never written cost nothing.
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.portion) { buffer, size in
      count = recv(descriptor, buffer.baseAddress, Self.portion, 0)
      size = max(0, count)
    }
    if count > 0 { return .bytes(bytes) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }

  /// Waits, for the few places that run outside the loop.
  /// - Returns: whether there is something to read.
  func awaitReadable(nanoseconds: Int64) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, Int32(clamping: max(0, nanoseconds) / 1_000_000)) > 0
  }

  /// - Throws: also if the send buffer is full, which takes hundreds of unread requests.
  func send(_ bytes: [UInt8]) throws(Message) {
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if count == bytes.count { return }
    throw count >= 0 || errno == EAGAIN ? .silence : .connectionClosed
  }

  func close() {
    source?.cancel()
    source = nil
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}

/// Calls of the C library on Unix sockets.
nonisolated enum UnixSocket {
  /// - Returns: an errno; 0 for success. `EPERM` for a server that only poses as the session's.
  static func connect(_ descriptor: Int32, to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let code: Int32 = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
    return code != 0 || isTrusted(credentials(of: descriptor).user) ? code : EPERM
  }

  /// Whether a server's user is this one, root, or the session's, in which root may run a command.
  static func isTrusted(_ user: uid_t, in runtime: String? = BaseDirectories().runtime) -> Bool {
    var directory = stat()
    return user == geteuid() || user == 0
      || stat(runtime ?? "", &directory) == 0 && directory.st_uid == user
  }

  /// The process at the other end: the server of a client's socket. `nil` if it cannot be seen.
  static func peer(of descriptor: Int32) -> Int32? {
    let process = credentials(of: descriptor).process
    return process > 0 ? process : nil
  }

  /// `struct ucred`, which Glibc's module lacks. Process 0 and the last user if it cannot be seen.
  private static func credentials(of descriptor: Int32) -> (process: Int32, user: UInt32, group: UInt32) {
    var peer: (process: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)
    return peer
  }
}

/// Finds a compositor's socket even if the environment is that of a session that has ended, as a terminal multiplexer
/// or a systemd unit may pass it on.
struct SocketSearch {
  var variable: (String) -> String? = Environment.variable

  var runtimeDirectory: String? { variable("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 } }

  /// The socket that a compositor's environment variable names, else one in XDG_RUNTIME_DIR, with `.sock` at its end.
  func find(_ profile: CompositorProfile) throws(Message) -> (path: String, socket: CompositorSocket) {
    let others = runtimeDirectory.map { directory in
      entries(of: directory) { $0.hasPrefix(profile.socketPrefix) && $0.hasSuffix(".sock") }
    }
    return try find(profile, named: { [$0] }, others: others ?? [])
  }

  /// The first of `named` that accepts a connection. If none does: of those among `others` that do, the one whose
  /// process serves WAYLAND_DISPLAY, or the only one.
  /// - Parameters:
  ///   - named: possible paths for a value of the environment variable.
  ///   - others: other possible paths.
  ///   - value: the environment variable's value for such a path.
  func find(
    _ profile: CompositorProfile, named: (String) -> [String], others: [String],
    value: (_ path: String) -> String = { $0 }
  ) throws(Message) -> (path: String, socket: CompositorSocket) {
    let set = variable(profile.variable).flatMap { $0.isEmpty ? nil : $0 }
    if let found = reachable(set.map(named) ?? []).first { return found }
    let reachable = reachable(others)
    let wayland = try? CompositorSocket(connectingTo: WaylandSocket.path(display: nil, variable: variable))
    if let server = wayland?.listener, let own = reachable.first(where: { $0.socket.listener == server }) {
      return own
    }
    guard reachable.count <= 1 else { throw .several(reachable.map { value($0.path) }, of: profile) }
    guard let only = reachable.first else {
      throw set.map { .stale($0, of: profile) } ?? .none(of: profile)
    }
    return only
  }

  private func reachable(_ paths: [String]) -> [(path: String, socket: CompositorSocket)] {
    paths.compactMap { path in (try? CompositorSocket(connectingTo: path)).map { (path, $0) } }
  }

  /// The paths of a directory's entries, sorted.
  func entries(of directory: String, where fits: (String) -> Bool) -> [String] {
    SystemFile.names(in: directory).filter { !$0.hasPrefix(".") && fits($0) }.sorted()
      .map { "\(directory)/\($0)" }
  }
}
