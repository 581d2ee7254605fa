// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// A child process in its own process group.
@MainActor final class ChildProgram {
  private(set) var process: pid_t = 0
  /// Whether `end()` was called.
  private(set) var isEnding = false
  private let endingNanoseconds: Int64
  private var output: ProgramOutput?
  private var watch: EventSource?
  /// Ends it at its time limit, and kills it if it then does not end. The program cannot run in suspend, either.
  private var timer: EventTimer?

  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - environment: "NAME=value"; `nil` for this process's own.
  ///   - runningNanoseconds: its time limit, after which `end()` is called.
  ///   - endingNanoseconds: from SIGTERM to SIGKILL.
  ///   - onLine: receives each line that it prints.
  ///   - ended: called once, from the loop.
  /// - Throws: `SystemError` if it cannot be started.
  init(
    _ command: [String], environment: [String]? = nil, loop: EventLoop, runningNanoseconds: Int64? = nil,
    endingNanoseconds: Int64, onLine: @escaping (String) -> Void, ended: @escaping (ProcessEnd) -> Void
  ) throws {
    self.endingNanoseconds = endingNanoseconds
    let limit = runningNanoseconds.map { Self.moment(in: $0) }
    timer = try loop.timer(at: limit, pausesInSuspend: true) { [unowned self] in
      if isEnding { signal(SIGKILL) } else { end() }
    }
    output = try ProgramOutput(loop: loop, onLine: onLine) { output throws(SystemError) in
      process = try Launch(command: command, environment: environment, mode: .separate(output: output))
        .start()
    }
    do {
      watch = try loop.onEnd(of: process) { [unowned self] end in
        finish()
        ended(end)
      }
    } catch {
      // Its end would not be noticed.
      signal(SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
  }

  /// Sends SIGTERM to it and its child processes.
  func terminate() { signal(SIGTERM) }

  /// Like `terminate`, and sends SIGKILL after a time.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    terminate()
    timer?.arm(at: Self.moment(in: endingNanoseconds))
  }

  nonisolated private static func moment(in time: Int64) -> Int64 {
    EventLoop.nanoseconds(on: CLOCK_MONOTONIC) + time
  }

  private func finish() {
    timer?.cancel()
    // The process group ID stays reserved until the loop continues.
    if isEnding { signal(SIGKILL) }
    process = 0
    output?.drain()
  }

  private func signal(_ number: Int32) { if process > 0 { kill(-process, number) } }
}

extension ProcessEnd {
  /// As in "the hook failed with exit status 1".
  var words: Phrase {
    switch self {
    case .exited(let status): "failed with exit status \(status)"
    case .killed(let signal): "was killed by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}

/// A program that is started for the user and not watched.
enum DetachedProgram {
  static func start(_ command: [String]) throws(SystemError) {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    _ = try Launch(command: command, mode: .separate(output: nowhere)).start()
  }
}

/// The output of a program, line by line. The object lives until the pipe is closed, which may be long after the
/// program's end: its child processes have the same pipe.
///
/// After `maximumLines` the output is still read, since a program might not survive a closed pipe, but it is discarded
/// in large pieces, with pauses that grow with the amount.
@MainActor final class ProgramOutput {
  /// A program that prints more should have its own log file, or is faulty.
  private static let maximumLines = 200
  private static let maximumLineLength = 500
  /// The capacity of a pipe in Linux, in bytes.
  private static let pipeSize = 65536
  /// The increment of the pause each time that the pipe was full, and the longest pause, in nanoseconds. In ten
  /// seconds, the time limit of a hook, 9 MB are read.
  private static let longerPause: Int64 = 1_000_000
  private static let maximumPause: Int64 = 1_000_000_000

  private let descriptor: Int32
  private let onLine: (String) -> Void
  private var source: EventSource?
  private var selfReference: ProgramOutput?
  private var line: [UInt8] = []
  private var lines = 0
  private var pause: EventTimer?
  private var pauseNanoseconds = longerPause

  /// - Parameters:
  ///   - start: starts the program with the writing end, which is closed when it returns.
  ///   - onLine: receives each line, without control characters.
  init(
    loop: EventLoop, onLine: @escaping (String) -> Void, start: (Int32) throws(SystemError) -> Void
  ) throws {
    let pipe = try Pipe()
    descriptor = pipe.reading
    self.onLine = onLine
    do {
      defer { close(pipe.writing) }
      source = try loop.watch(descriptor) { [unowned self] in read() }
      pause = try loop.timer { [unowned self] in source?.isEnabled = true }
      try start(pipe.writing)
    } catch {
      finish()
      throw error
    }
    selfReference = self
  }

  /// Reads what is in the pipe. Bounded, since a child process may print without end.
  func drain() {
    for _ in 1...16 where source != nil && !isMuted {
      guard read() > 0 else { return }
    }
  }

  private var isMuted: Bool { lines > Self.maximumLines }

  /// - Returns: how many bytes there were.
  @discardableResult
  private func read() -> Int {
    withUnsafeTemporaryAllocation(byteCount: Self.pipeSize, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, isMuted ? buffer.count : 4096)
      if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
      guard count > 0 else {
        finish()
        return 0
      }
      if isMuted { pauseReading(after: count) } else { buffer.prefix(count).forEach(append) }
      return count
    }
  }

  /// Pauses, for longer each time that the pipe was full.
  private func pauseReading(after count: Int) {
    let isFull = count == Self.pipeSize
    pauseNanoseconds = min((isFull ? pauseNanoseconds : 0) + Self.longerPause, Self.maximumPause)
    pause?.arm(at: EventLoop.now + pauseNanoseconds)
    source?.isEnabled = false
  }

  private func append(_ byte: UInt8) {
    guard !isMuted else { return }
    let isEnd = byte == UInt8(ascii: "\n")
    if isEnd || line.count >= Self.maximumLineLength { endLine() }
    if !isEnd { line.append(byte) }
  }

  private func endLine() {
    defer { line.removeAll(keepingCapacity: true) }
    lines += 1
    guard lines <= Self.maximumLines, !line.isEmpty else {
      if lines == Self.maximumLines + 1 { onLine("(further output is left out)") }
      return
    }
    onLine(String(decoding: line, as: UTF8.self).printable(limit: Self.maximumLineLength))
  }

  private func finish() {
    if !line.isEmpty { endLine() }
    source?.cancel()
    source = nil
    pause = nil
    close(descriptor)
    selfReference = nil
  }
}
