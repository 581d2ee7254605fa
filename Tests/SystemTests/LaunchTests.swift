// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

/// The inheritance of started programs. On the main actor, since descriptors that other tests pass on are marked.
@MainActor
struct LaunchTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func end(of process: Int32) -> Int32 {
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status
  }

  /// The output of a separate shell script.
  private func output(of script: String) throws -> String {
    let descriptor = open(directory["output"], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let process = try Launch(command: ["sh", "-c", script], mode: .separate(output: descriptor)).start()
    _ = end(of: process)
    return try directory.text("output")
  }

  /// A line of the status of a script in the foreground.
  private func signals(_ name: String, mask: SignalMask) throws -> UInt64 {
    let script = "exec grep \(name) /proc/self/status >'\(directory["output"])'"
    let process = try Launch(command: ["sh", "-c", script], mode: .foreground(mask: mask)).start()
    #expect(end(of: process) == 0)
    let words = try directory.text("output").split(whereSeparator: \.isWhitespace)
    return try #require(words.last.flatMap { UInt64($0, radix: 16) })
  }

  @Test func `a separate program has a process group of its own`() throws {
    let words = try output(of: "echo $$; cut -d' ' -f5 /proc/$$/stat").split(separator: "\n")
    #expect(words.count == 2 && words.first == words.last)
  }

  @Test func `a separate program gets no input`() throws {
    // The tests themselves may have no input either.
    let former = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let other = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    dup2(other, STDIN_FILENO)
    close(other)
    defer {
      if dup2(former, STDIN_FILENO) < 0 { close(STDIN_FILENO) }
      close(former)
    }
    #expect(try output(of: "readlink /proc/$$/fd/0") == "/dev/null\n")
  }

  @Test func `both outputs of a separate program are combined`() throws {
    #expect(try output(of: "echo out; echo error >&2") == "out\nerror\n")
  }

  @Test func `a separate program inherits no other descriptor`() throws {
    let inheritable = open("/dev/null", O_RDONLY)
    defer { close(inheritable) }
    try #require(fcntl(inheritable, F_GETFD) == 0)
    let words = try output(of: "readlink /proc/$$/fd/0 /proc/$$/fd/\(inheritable)")
    #expect(words == "/dev/null\n")
    #expect(fcntl(STDERR_FILENO, F_GETFD) & FD_CLOEXEC == 0, "programs in the foreground inherit it")
  }

  /// The C library itself ignores the two signals that it uses.
  @Test func `a separate program ignores no signal`() throws {
    let former = signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, former) }
    let words = try output(of: "exec grep SigIgn /proc/self/status").split(whereSeparator: \.isWhitespace)
    let ignored = try #require(words.last.flatMap { UInt64($0, radix: 16) })
    #expect(ignored & bit(SIGUSR2) == 0)
  }

  @Test func `a program gets only the environment it is given`() throws {
    let launch = Launch(
      command: ["sh", "-c", "exec cat /proc/self/environ >'\(directory["output"])'"],
      environment: ["PATH=/usr/bin:/bin", "A=b"], mode: .foreground(mask: .current))
    #expect(try end(of: launch.start()) == 0)
    let words = try directory.text("output").split(separator: "\0")
    #expect(
      words.contains("A=b") && words.contains("PATH=/usr/bin:/bin")
        && !words.contains { $0.hasPrefix("HOME=") })
  }

  @Test func `only the reading end of a pipe never blocks`() throws {
    let pipe = try System.Pipe()
    defer { for end in [pipe.reading, pipe.writing] { close(end) } }
    #expect([pipe.reading, pipe.writing].allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    #expect(fcntl(pipe.reading, F_GETFL) & O_NONBLOCK != 0 && fcntl(pipe.writing, F_GETFL) & O_NONBLOCK == 0)
    var byte: UInt8 = 7
    #expect(write(pipe.writing, &byte, 1) == 1)
    byte = 0
    #expect(read(pipe.reading, &byte, 1) == 1 && byte == 7)
  }

  @Test func `a separate program has no blocked signal`() throws {
    let line = try whileSignal(SIGUSR1, SIG_BLOCK) { try output(of: "exec grep SigBlk /proc/self/status") }
    #expect(line.hasSuffix("\t0000000000000000\n"))
  }

  @Test func `a foreground program has the signal mask it is given`() throws {
    let blocked = try signals("SigBlk", mask: whileSignal(SIGUSR1, SIG_BLOCK) { .current })
    #expect(blocked & bit(SIGUSR1) != 0)
    let unblocked = try signals("SigBlk", mask: whileSignal(SIGUSR1, SIG_UNBLOCK) { .current })
    #expect(unblocked & bit(SIGUSR1) == 0)
  }

  @Test func `SIGPIPE ends a foreground program`() throws {
    let former = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, former) }
    let ignored = try signals("SigIgn", mask: .current)
    #expect(ignored & bit(SIGPIPE) == 0)
  }

  @Test func `a program that is missing is an error`() {
    #expect {
      try Launch(command: [directory["missing"]], mode: .foreground(mask: .current)).start()
    } throws: {
      ($0 as? SystemError)?.code == ENOENT
    }
  }

  private func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }

  /// - Parameter change: SIG_BLOCK or SIG_UNBLOCK.
  private func whileSignal<Result>(
    _ signal: Int32, _ change: Int32, _ work: () throws -> Result
  ) rethrows -> Result {
    var set = sigset_t()
    var former = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(change, &set, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    return try work()
  }
}
