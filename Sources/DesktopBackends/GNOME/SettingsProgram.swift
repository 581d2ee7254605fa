// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// GNOME's settings, read and written by the program `gsettings`.
///
/// The library behind it would add GIO and its threads, and its messages to dconf have a format of their own. The
/// program is one process at the beginning and the end of a take-over, and when a lock that is obeyed may have changed.
final class SettingsProgram {
  /// The time limit: it takes some 20 ms, and longer while it waits for the bus; in nanoseconds.
  private static let timeout: Int64 = 5_000_000_000
  /// The time limit while this process exits, in milliseconds.
  private static let exitTimeout: Int32 = 2000

  typealias OnEnd = (_ process: pid_t, _ handler: @escaping (ProcessEnd) -> Void) throws -> EventSource

  private let name: String
  private let loop: EventLoop
  private let onEnd: OnEnd
  private var process: pid_t = 0
  private var output: Int32 = -1
  private var ended: EventSource?
  private var timer: EventTimer?

  /// - Parameter onEnd: reports the end of a process; `nil` for the loop's own way.
  init(_ name: String, loop: EventLoop, onEnd: OnEnd? = nil) {
    self.name = name
    self.loop = loop
    self.onEnd = onEnd ?? { try loop.onEnd(of: $0, $1) }
  }

  isolated deinit {
    // A child that is not waited for stays a zombie for as long as this process lives.
    cancel()
  }

  /// One at a time.
  /// - Parameter completion: receives its output, trimmed; called once, never from within a method of this, and not
  ///   after `cancel`.
  func run(_ arguments: [String], _ completion: @escaping (Result<String, Message>) -> Void) {
    do {
      let timer = try loop.timer(at: EventLoop.now + Self.timeout) { [weak self] in self?.killProcess() }
      try EventLoop.expectProcesses()
      try start(arguments)
      self.timer = timer
      ended = try onEnd(process) { [weak self] in self?.finish($0, completion) }
    } catch {
      // An unwatched process would stay, and its output would be lost.
      cancel()
      let failure = failure(of: error)
      // Reported from the loop, so that completions are always asynchronous.
      timer = try? loop.timer(at: 0) { [weak self] in
        self?.timer = nil
        completion(.failure(failure))
      }
    }
  }

  /// - Returns: its output, trimmed; `nil` if it has failed.
  func readAndWait(_ arguments: [String]) -> String? {
    guard (try? start(arguments)) != nil else { return nil }
    // Its end closes the pipe, for which `poll` can wait with a limit.
    var hangUp = pollfd(fd: output, events: 0, revents: 0)
    poll(&hangUp, 1, Self.exitTimeout)
    if hangUp.revents == 0 { killProcess() }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let text = readOutput()
    reset()
    return status == 0 ? text : nil
  }

  /// - Returns: whether the orientation lock in the schema is on; `nil` if unknown.
  func orientationLock(in schema: String) -> Bool? {
    readAndWait(["get", schema, "orientation-lock"]).flatMap { Bool($0) }
  }

  func cancel() {
    guard process > 0 else { return }
    ended?.cancel()
    killProcess()
    waitpid(process, nil, 0)
    reset()
  }

  private func finish(_ end: ProcessEnd, _ completion: (Result<String, Message>) -> Void) {
    let text = readOutput()
    reset()
    switch end {
    case .exited(status: 0): completion(.success(text))
    case .exited: completion(.failure(Message(.desktopNotSwitched, "\(name) failed: \(text.printable())")))
    case .killed:
      // It may have set it all the same.
      completion(.failure(Message(.displaySilent, "\(name) did not exit and was killed")))
    }
  }

  private func failure(of error: any Error) -> Message {
    reset()
    guard let error = error as? SystemError, error.code == ENOENT else {
      return Message(.desktopNotSwitched, "\(error)")
    }
    return Message(
      .desktopNotSwitched, "\(name) is not installed; it is in the package libglib2.0-bin, or glib2")
  }

  private func killProcess() {
    if process > 0 { kill(process, SIGKILL) }
  }

  private func reset() {
    if output >= 0 { close(output) }
    output = -1
    process = 0
    ended = nil
    timer = nil
  }

  /// A pipe holds 64 KiB, so that the program never waits to write.
  private func readOutput() -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(output, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).trimmed
  }

  private func start(_ arguments: [String]) throws {
    let pipe = try Pipe()
    defer { close(pipe.writing) }
    output = pipe.reading
    process = try Launch(command: [name] + arguments, mode: .separate(output: pipe.writing)).start()
  }
}

/// Reports that a setting of the desktop may have changed: dconf, which stores them, sends a signal.
enum SettingsWatch {
  nonisolated static let writer = BusTarget(
    service: "ca.desrt.dconf", path: "/ca/desrt/dconf/Writer/user", interface: "ca.desrt.dconf.Writer")

  static func start(
    _ bus: Bus, schema: String, _ changed: @escaping () -> Void
  ) throws(BusError) -> Subscription {
    let key = "/\(schema.replacing(".", with: "/"))/orientation-lock"
    return try bus.match(SignalRule(writer, "Notify")) { signal in
      guard let arguments = try? signal.arguments(),
        let prefix: String = try? arguments.read(0), let changes: [String] = try? arguments.read(1)
      else { return }
      // A change that ends with a slash, or is empty, covers all keys below it.
      if changes.contains(where: { key.hasPrefix(prefix + $0) }) { changed() }
    }
  }
}
