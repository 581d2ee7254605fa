// SPDX-License-Identifier: MIT

import Glibc
package import System
import Temporary
import Waiting

/// A dbus-daemon of a test's own, on a socket of its own, and the loop that the test runs.
package final class PrivateBus {
  nonisolated package static let isAvailable = access(program, X_OK) == 0 && Companion.isAvailable
  nonisolated package static let absence: String =
    "needs \(program), of the package dbus-daemon; \(Companion.absence)"
  nonisolated private static let program = "/usr/bin/dbus-daemon"

  package let address: String
  /// The path of the socket.
  package let socket: String
  package let loop: EventLoop
  private let directory: TemporaryDirectory
  private var process: pid_t = 0
  private var witness: Bus?

  /// - Parameter awaited: a name for which the bus keeps calls until somebody has it, as it does for a service that it
  ///   starts.
  package init(keepingCallsFor awaited: String? = nil) throws {
    loop = try EventLoop()
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

  /// Ends the daemon as a crash would.
  package func kill() {
    guard process > 0 else { return }
    witness = nil
    Glibc.kill(process, SIGKILL)
    waitpid(process, nil, 0)
    process = 0
  }

  /// Stops the daemon: whoever connects from now on gets no answer, nor does anybody else.
  package func freeze() {
    if process > 0 { Glibc.kill(process, SIGSTOP) }
  }

  /// Lets it go on.
  package func thaw() {
    if process > 0 { Glibc.kill(process, SIGCONT) }
  }

  /// Begins another daemon at the same address, after `kill`.
  package func restart() throws {
    try start()
  }

  /// - Returns: `false` if the condition does not come about.
  package func run(until condition: () throws -> Bool) throws -> Bool {
    try loop.run(until: condition)
  }

  /// Handles what the loop has to handle at once. The bus may still hold messages: see `deliver`.
  package func runPending() throws {
    try loop.runPending()
  }

  /// Returns when the bus has delivered all that was sent, and all that was sent in answer to that, and the loop has
  /// handled it.
  package func deliver() throws {
    repeat { try flush() } while try loop.runPending()
  }

  /// Returns when the bus has delivered all that was sent; the loop does not run. The bus answers a call after it has
  /// passed on what it had read before; with the second answer, that also holds for what it read together with the
  /// first call.
  package func flush() throws {
    // One connection for all times, since the bus tells everybody who comes and goes.
    let witness = try witness ?? Bus(.at(address: address))
    self.witness = witness
    for _ in 1...2 { _ = try witness.ask(.driver, "GetId") }
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
      <!-- Tests take turns, and the loop of one that is waiting does not run. -->
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

  /// Returns when the daemon listens: it says its address then.
  private func start() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", code: errno) }
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    try begin(printingItsAddressTo: ends[1])
    var byte: UInt8 = 0
    guard read(ends[0], &byte, 1) == 1 else { throw SystemError(call: "dbus-daemon", code: EIO) }
  }

  private func begin(printingItsAddressTo descriptor: Int32) throws {
    defer { close(descriptor) }
    process = try Companion.spawn([
      Self.program, "--config-file=\(directory["bus.conf"])", "--nofork", "--print-address=\(descriptor)",
    ])
  }
}
