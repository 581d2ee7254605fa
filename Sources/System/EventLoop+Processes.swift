// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// Who sent a signal.
nonisolated package struct SignalOrigin: Equatable, Sendable {
  /// The kernel did: a key on the terminal, or its hang-up. All of a process group gets those.
  package var isKernel: Bool
  /// The sender, if it is a process.
  package var process: Int32

  init(_ information: signalfd_siginfo) {
    // SI_KERNEL, which is a macro with a cast in some headers.
    isKernel = information.ssi_code == 0x80
    process = Int32(truncatingIfNeeded: information.ssi_pid)
  }
}

/// How a process ended.
nonisolated package enum ProcessEnd: Equatable, Sendable {
  case exited(status: Int32)
  case killed(signal: Int32)

  init(_ information: siginfo_t) {
    let status = information._sifields._sigchld.si_status
    self = information.si_code == CLD_EXITED ? .exited(status: status) : .killed(signal: status)
  }

  /// As shells tell it.
  package var shellStatus: Int32 {
    switch self {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    }
  }
}

extension EventLoop {
  /// Takes the signal away from its default action and hands it to `handler`. To be called before
  /// a second thread starts, which would not inherit the mask.
  package func onSignal(
    _ signal: Int32, _ handler: @escaping (SignalOrigin) -> Void
  ) throws -> EventSource {
    try Self.block(signal)
    let source = EventSource(telling: signalfd_siginfo.self) { handler(SignalOrigin($0)) }
    let code = sd_event_add_signal(
      event, &source.source, signal,
      { _, information, context in
        EventSource.fire(context, telling: UnsafeRawPointer(information))
        return 0
      }, source.context)
    try Self.check(code, "sd_event_add_signal")
    return source
  }

  /// Holds back the signal of processes that end, which old kernels would hand to any thread. To be
  /// called before a second thread starts, if processes will be started.
  package static func expectProcesses() throws {
    try block(SIGCHLD)
  }

  /// Calls `handler` once when a child of this process has ended. The child's number, and that of its
  /// group, are nobody else's until `handler` has returned.
  package func onEnd(
    of child: Int32, _ handler: @escaping (ProcessEnd) -> Void
  ) throws -> EventSource {
    try Self.expectProcesses()
    let source = EventSource(telling: siginfo_t.self) { handler(ProcessEnd($0)) }
    let code = sd_event_add_child(
      event, &source.source, child, WEXITED,
      { _, information, context in
        EventSource.fire(context, telling: UnsafeRawPointer(information))
        return 0
      }, source.context)
    try Self.check(code, "sd_event_add_child")
    return source
  }

  private static func block(_ signal: Int32) throws {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal)
    try check(-pthread_sigmask(SIG_BLOCK, &mask, nil), "pthread_sigmask")
  }
}

/// A process that cannot be mistaken for a later one of the same number.
nonisolated package struct ProcessIdentity: Equatable, Sendable {
  package let process: Int32
  /// When it started, in the kernel's ticks since its own start.
  private let start: String

  /// - Returns: `nil` if there is no such process.
  package init?(of process: Int32) {
    // The name, in parentheses, may hold anything.
    guard process > 0, let stat = SystemFile.text(of: "/proc/\(process)/stat"),
      let nameEnd = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
    guard fields.count > 19 else { return nil }
    self.process = process
    start = String(fields[19])
  }

  /// - Parameter text: what `text` was; `nil` for anything else.
  package init?(text: some StringProtocol) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let process = Int32(words[0]), process > 1 else { return nil }
    self.process = process
    start = String(words[1])
  }

  /// For a file: "1234 567890".
  package var text: String { "\(process) \(start)" }

  package var isAlive: Bool { Self(of: process) == self }
}
