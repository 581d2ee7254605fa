// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import System

/// Runs a program under a request, as systemd-inhibit runs one under a lock.
struct RequestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request", abstract: localized("Limit the orientations while a program runs."),
    usage:
      "autorotate request <mask> ... [--why <text>] [--app <name>] [--while-focused <app>]"
      + " -- <command> [<argument> ...]",
    discussion: localized(
      """
      While the command runs, only the orientations of the mask are used, unless your settings allow none \
      of them. The command also runs if autorotate is not running.

      Masks: \(OrientationName.allCases.map(\.rawValue).joined(separator: ", ")).

      Exit status: that of the command; 128 and the signal's number if a signal ended it; 127 if it was not \
      found, 126 if it could not be started.
      """))

  @Argument(help: .localized("The allowed orientations, up to four."), completion: .masks)
  var mask: String

  // At most four orientations: a command can have only one list, and here that is the command to run.
  @Argument(help: .hidden, completion: .masks) var second: String?
  @Argument(help: .hidden, completion: .masks) var third: String?
  @Argument(help: .hidden, completion: .masks) var fourth: String?

  @Option(help: .localized("The reason for the request, shown by `autorotate status`.", valueName: "text"))
  var why = ""

  @Option(
    help: .localized(
      "The program's name, shown by `autorotate status`; by default that of the command.", valueName: "name"))
  var app: String?

  @Option(
    name: .customLong("while-focused"),
    help: .localized(
      "Only while a window of this app has focus; * and ? match any text and any character.",
      valueName: "app"))
  var window: String?

  @Argument(
    parsing: .postTerminator, help: .localized("The program and its arguments.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    do {
      _ = try OrientationParser.mask(masks)
    } catch {
      throw misuse("\(error). The command comes after --: \(Self.example)")
    }
    guard window != "" else {
      throw misuse("--while-focused requires an app's name, as listed by `autorotate windows`.")
    }
    guard let program = command.first, !program.isEmpty else {
      throw misuse("Give the command after --: \(Self.example)")
    }
  }

  private static let example = "autorotate request landscape -- mpv film.mkv"

  private var masks: [String] { [mask, second, third, fourth].compactMap(\.self) }

  mutating func run() throws {
    let status = try MainActor.assumeIsolated { try RequestedRun.run(command, options) }
    throw ExitCode(status)
  }

  var options: RequestedRun.Options {
    let name = command.first?.split(separator: "/").last.map(String.init)
    return .init(mask: masks, application: app ?? name ?? "", why: why, window: window)
  }
}

/// A program that runs under a request. The program matters more than the request: without a daemon or a bus it still
/// runs, after a warning.
@MainActor final class RequestedRun {
  struct Options: Equatable {
    /// Words of `OrientationName`.
    var mask: [String]
    var application: String
    var why: String
    /// The application that must have focus; `nil` if none must.
    var window: String?
  }

  /// The signals that are forwarded. A program that is stopped or killed cannot forward anything.
  private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]
  /// A daemon answers in a millisecond; the program waits no longer than this for one that hangs.
  private static let patienceNanoseconds: Int64 = 1_000_000_000
  /// The exit statuses of shells and env(1).
  private static let notFound: Int32 = 127
  private static let notStartable: Int32 = 126

  private let loop: EventLoop
  private let command: [String]
  private let options: Options
  private let kind: Bus.Kind
  private let log: (String) -> Void
  private let mask = SignalMask.current
  private var bus: Bus?
  private var request: StandingRequest?
  private var sources: [EventSource] = []
  private var timer: EventTimer?
  private var process: pid_t?
  private var hasBegun = false

  /// - Returns: the program's exit status, as shells report it.
  static func run(
    _ command: [String], _ options: Options, bus kind: Bus.Kind = .session,
    log: @escaping (String) -> Void = Console.log
  ) throws -> Int32 {
    let run = try RequestedRun(command, options, kind, log)
    return try withExtendedLifetime(run) {
      try run.ask()
      return try run.loop.run()
    }
  }

  private init(
    _ command: [String], _ options: Options, _ kind: Bus.Kind, _ log: @escaping (String) -> Void
  ) throws {
    self.command = command
    self.kind = kind
    self.options = options
    self.log = log
    let loop = try EventLoop()
    self.loop = loop
    sources = try Self.signals.map { signal in
      try loop.onSignal(signal) { [unowned self] in forward(signal, from: $0) }
    }
    timer = try loop.timer { [unowned self] in begin(without: silence) }
  }

  // MARK: The request

  /// Whether the bus or the daemon does not answer.
  private var silence: Message {
    ControlClient.failure(bus?.isReady == false ? kind.silence : BusError(BusError.timeout, ""))
  }

  private func ask() throws {
    do throws(BusError) {
      let bus = try Bus(kind)
      self.bus = bus
      try bus.attach(to: loop)
      // Later answers come from restarted daemons.
      request = try StandingRequest(bus: bus, options) { [unowned self] answer in
        if case .failure(let failure) = answer { begin(without: failure) } else { begin() }
      }
      bus.onClosed = { [unowned self] in
        begin(without: ControlClient.failure(BusError(BusError.disconnected, "the session bus has ended")))
      }
      timer?.arm(at: EventLoop.now + Self.patienceNanoseconds)
    } catch {
      begin(without: ControlClient.failure(error))
    }
  }

  // MARK: The program

  /// - Parameter failure: why it runs without the request, if it does.
  private func begin(without failure: Message? = nil) {
    guard !hasBegun else { return }
    hasBegun = true
    if let failure { log(localized("\(command[0]) runs without the request: \(failure)")) }
    timer?.cancel()
    do {
      let process = try Launch(command: command, mode: .foreground(mask: mask)).start()
      self.process = process
      sources.append(try loop.onEnd(of: process) { [unowned self] in end(with: $0.shellStatus) })
    } catch let error as SystemError {
      let isAbsent = error.code == ENOENT
      let advice: Phrase = isAbsent ? "Give a program in PATH, or the path of one." : "Make it executable."
      log(localized("\(command[0]) cannot be started: \(error.reason). \(advice)"))
      end(with: isAbsent ? Self.notFound : Self.notStartable)
    } catch {
      log("\(error)")
      end(with: ExitStatus.failed.rawValue)
    }
  }

  private func end(with status: Int32) {
    process = nil
    loop.exit(status)
  }

  /// The program is in the same process group: it receives the terminal's signals itself, and must not get back those
  /// that it sends to its group.
  private func forward(_ signal: Int32, from origin: SignalOrigin) {
    guard hasBegun else { return end(with: 128 + signal) }
    guard let process, !origin.isKernel, origin.process != process else { return }
    kill(process, signal)
  }
}

/// A request for some orientations that lasts as long as its bus, across restarts of the daemon.
@MainActor final class StandingRequest {
  private let bus: Bus
  private let method: String
  private let arguments: [Value]
  private let onAnswer: (Result<Void, Message>) -> Void
  private var watch: Subscription?

  /// - Parameters:
  ///   - bus: attached to a loop that will run, and used for nothing else: the request ends with it.
  ///   - onAnswer: called with each answer of a daemon, and when there is no daemon or it ends.
  init(
    bus: Bus, _ options: RequestedRun.Options, onAnswer: @escaping (Result<Void, Message>) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.onAnswer = onAnswer
    let window = options.window.map(Value.string)
    method = window == nil ? "Request" : "RequestWhileFocused"
    let words: [Value] = [.strings(options.mask), .string(options.application), .string(options.why)]
    arguments = words + [window].compactMap(\.self)
    watch = try bus.watchName(ControlInterface.name) { [weak self] owner in self?.noteOwner(owner) }
  }

  private func noteOwner(_ owner: String?) {
    guard owner != nil else { return onAnswer(.failure(.notRunning)) }
    bus.ask(ControlInterface.target, method, arguments) { [onAnswer] answer in
      onAnswer(answer.map { _ in }.mapError(ControlClient.failure))
    }
  }
}
