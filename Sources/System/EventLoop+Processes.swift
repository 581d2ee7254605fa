// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// The sender of a signal.
nonisolated package struct SignalOrigin: Equatable, Sendable {
  /// Whether the kernel sent it, to a whole process group: a key on the terminal, or its hang-up.
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

  /// In the form of shells.
  package var shellStatus: Int32 {
    switch self {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    }
  }
}

extension EventLoop {
  /// Blocks the default action of the signal, and calls `handler` instead. Must be called before a second thread
  /// starts, which would not inherit the mask.
  package func onSignal(_ signal: Int32, _ handler: @escaping (SignalOrigin) -> Void) throws -> EventSource {
    try Self.block(signal)
    let source = EventSource(details: signalfd_siginfo.self) { handler(SignalOrigin($0)) }
    let code = sd_event_add_signal(
      event, &source.source, signal,
      { _, information, context in EventSource.fire(context, details: UnsafeRawPointer(information)) },
      source.context)
    try Self.check(code, "sd_event_add_signal")
    return source
  }

  /// Blocks SIGCHLD, which old kernels would deliver to any thread. Must be called before a second thread starts, if
  /// processes will be started.
  package static func expectProcesses() throws { try block(SIGCHLD) }

  /// Calls `handler` once when a child of this process has ended. The numbers of the child and its group are not reused
  /// until `handler` has returned.
  package func onEnd(of child: Int32, _ handler: @escaping (ProcessEnd) -> Void) throws -> EventSource {
    try Self.expectProcesses()
    let source = EventSource(details: siginfo_t.self) { handler(ProcessEnd($0)) }
    let code = sd_event_add_child(
      event, &source.source, child, WEXITED,
      { _, information, context in EventSource.fire(context, details: UnsafeRawPointer(information)) },
      source.context)
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

/// A process, distinguished from later ones with the same number.
nonisolated package struct ProcessIdentity: Equatable, Sendable {
  package let process: Int32
  /// The start time, in the kernel's ticks since boot.
  private let start: String

  /// - Returns: `nil` if there is no such process.
  package init?(of process: Int32) {
    let fields = Self.fields(of: process)
    guard fields.count > 19 else { return nil }
    self.process = process
    start = String(fields[19])
  }

  /// The fields of `/proc/PID/stat` from the state on; empty if there is no such process.
  package static func fields(of process: Int32) -> [Substring] {
    // The name before them, in parentheses, may contain any character.
    let text = SystemFile.text(of: "/proc/\(process)/stat") ?? ""
    return text.lastIndex(of: ")").map { text[$0...].dropFirst().split(separator: " ") } ?? []
  }

  /// - Parameter text: from `text`; `nil` for anything else.
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
