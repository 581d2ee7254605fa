// SPDX-License-Identifier: MIT

import Glibc
package import System
import Temporary
import Waiting

/// A separate dbus-daemon for a test, with its own socket, and the loop that the test runs.
package final class PrivateBus {
  nonisolated package static let isAvailable = access(program, X_OK) == 0 && ChildProcess.isAvailable
  nonisolated package static let absence: String =
    "needs \(program), of the package dbus-daemon; \(ChildProcess.absence)"
  nonisolated private static let program = "/usr/bin/dbus-daemon"

  package let address: String
  /// The path of the socket.
  package let socket: String
  package let loop: EventLoop
  private let directory: TemporaryDirectory
  private var process: pid_t = 0
  private var flushConnection: Bus?

  /// - Parameter awaited: a name for which the bus queues calls until it has an owner, as for a service that the bus
  ///   starts.
  package init(keepingCallsFor awaited: String? = nil) throws {
    loop = try EventLoop()
    // sd-bus waits for its name for 25 s, and before the loop of a test runs, other tests may take longer.
    setenv("SYSTEMD_BUS_TIMEOUT", "1h", 1)
    directory = try TemporaryDirectory()
    socket = directory["socket"]
    address = "unix:path=\(socket)"
    try directory.write(configuration, to: "bus.conf")
    if let awaited {
      try directory.write("[D-BUS Service]\nName=\(awaited)\nExec=/bin/true\n", to: "\(awaited).service")
    }
    try start()
  }

  isolated deinit {
    kill()
  }

  /// A new connection that `loop` handles.
  package func connect() throws -> Bus {
    let bus = try Bus(.at(address: address))
    try bus.attach(to: loop)
    return bus
  }

  /// Kills the daemon, like a crash.
  package func kill() {
    guard process > 0 else { return }
    flushConnection = nil
    Glibc.kill(process, SIGKILL)
    waitpid(process, nil, 0)
    process = 0
  }

  /// Stops the daemon with SIGSTOP: it answers neither old nor new connections.
  package func freeze() {
    if process > 0 { Glibc.kill(process, SIGSTOP) }
  }

  /// Continues the daemon.
  package func thaw() {
    if process > 0 { Glibc.kill(process, SIGCONT) }
  }

  /// Starts another daemon at the same address, after `kill`.
  package func restart() throws {
    try start()
  }

  /// - Returns: `false` if the condition does not become true in time.
  package func run(until condition: () throws -> Bool) throws -> Bool {
    try loop.run(until: condition)
  }

  /// Handles the events that are ready. The bus may still hold messages: see `deliver`.
  package func runPending() throws {
    try loop.runPending()
  }

  /// Returns when the bus has delivered all messages, including answers to them, and the loop has handled them.
  package func deliver() throws {
    repeat { try flush() } while try loop.runPending()
  }

  /// Returns when the bus has delivered all messages, without running the loop. The bus answers a call after it has
  /// delivered the messages read before; after the second answer, also those read together with the first call.
  package func flush() throws {
    // Only one connection, since the bus reports each new one to all others.
    let connection = try flushConnection ?? Bus(.at(address: address))
    flushConnection = connection
    for _ in 1...2 { _ = try connection.ask(.driver, "GetId") }
  }

  private var configuration: String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <servicedir>\(directory.path)</servicedir>
      <auth>EXTERNAL</auth>
      <!-- Tests alternate, and the loop of a waiting one does not run. -->
      <limit name="auth_timeout">3600000</limit>
      <!-- As in the session.conf of every system; without it, the 129th unanswered call is refused by the bus. -->
      <limit name="max_replies_per_connection">50000</limit>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """
  }

  /// Returns when the daemon listens, which it signals by printing its address.
  private func start() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", code: errno) }
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    try spawn(printingAddressTo: ends[1])
    var byte: UInt8 = 0
    guard read(ends[0], &byte, 1) == 1 else { throw SystemError(call: "dbus-daemon", code: EIO) }
  }

  private func spawn(printingAddressTo descriptor: Int32) throws {
    defer { close(descriptor) }
    process = try ChildProcess.spawn([
      Self.program, "--config-file=\(directory["bus.conf"])", "--nofork", "--print-address=\(descriptor)",
    ])
  }
}
