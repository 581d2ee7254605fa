// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// A program that runs under a request. The program matters more than the request: without a daemon or a bus it runs
/// all the same, after a warning.
@MainActor final class RequestedRun {
  struct Wish: Equatable {
    /// Words of `OrientationWord`.
    var mask: [String]
    var application: String
    var why: String
    /// The application that has to have focus, if one has to.
    var window: String?
  }

  /// What is passed on. A program that is stopped or killed cannot be asked to pass anything on.
  private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]
  /// A daemon answers in a millisecond; a program waits no longer than this for one that is stuck.
  private static let patienceNanoseconds: Int64 = 1_000_000_000
  /// As shells and env(1) have them.
  private static let notFound: Int32 = 127
  private static let notStartable: Int32 = 126

  private let loop: EventLoop
  private let command: [String]
  private let wish: Wish
  private let kind: Bus.Kind
  private let complain: (String) -> Void
  private let mask = SignalMask.current
  private var bus: Bus?
  private var request: StandingRequest?
  private var sources: [EventSource] = []
  private var timer: EventTimer?
  private var process: pid_t?
  private var hasBegun = false

  /// - Returns: the program's exit status, as shells tell it.
  static func run(
    _ command: [String], _ wish: Wish, bus kind: Bus.Kind = .session,
    complain: @escaping (String) -> Void = Console.complain
  ) throws -> Int32 {
    let run = try RequestedRun(command, wish, kind, complain)
    return try withExtendedLifetime(run) {
      try run.ask()
      return try run.loop.run()
    }
  }

  private init(
    _ command: [String], _ wish: Wish, _ kind: Bus.Kind, _ complain: @escaping (String) -> Void
  ) throws {
    self.command = command
    self.kind = kind
    self.wish = wish
    self.complain = complain
    let loop = try EventLoop()
    self.loop = loop
    sources = try Self.signals.map { signal in
      try loop.onSignal(signal) { [unowned self] in pass(signal, from: $0) }
    }
    timer = try loop.timer { [unowned self] in
      begin(without: silence)
    }
  }

  // MARK: The request

  /// Whose silence it is.
  private var silence: Message {
    ControlClient.failure(bus?.isReady == false ? kind.silence : BusError(BusError.timeout, ""))
  }

  private func ask() throws {
    do throws(BusError) {
      let bus = try Bus(kind)
      self.bus = bus
      try bus.attach(to: loop)
      request = try StandingRequest(
        bus: bus, wish
      ) { [unowned self] in note($0) }
      bus.onClosed = { [unowned self] in
        begin(without: ControlClient.failure(BusError(BusError.disconnected, "the session bus has ended")))
      }
      timer?.arm(at: EventLoop.now + Self.patienceNanoseconds)
    } catch {
      begin(without: ControlClient.failure(error))
    }
  }

  /// Later answers come from daemons that were restarted; one that has gone may come back.
  private func note(_ answer: Result<Void, Message>) {
    switch answer {
    case .success: begin()
    case .failure(let failure): begin(without: failure)
    }
  }

  // MARK: The program

  private func begin(without failure: Message) {
    guard !hasBegun else { return }
    complain(localized("\(command[0]) runs without its request: \(failure)"))
    begin()
  }

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    timer?.cancel()
    do {
      let process = try Launch(command: command, place: .here(mask: mask)).start()
      self.process = process
      sources.append(try loop.onEnd(of: process) { [unowned self] in end(with: $0.shellStatus) })
    } catch let error as SystemError {
      cannotStart(error)
    } catch {
      complain("\(error)")
      end(with: ExitStatus.failed.rawValue)
    }
  }

  private func cannotStart(_ error: SystemError) {
    let isAbsent = error.code == ENOENT
    let advice: Phrase = isAbsent ? "give a program in PATH, or the path of one" : "make it executable"
    complain(localized("\(command[0]) cannot be started: \(error.reason); \(advice)"))
    end(with: isAbsent ? Self.notFound : Self.notStartable)
  }

  private func end(with status: Int32) {
    process = nil
    loop.exit(status)
  }

  /// What the terminal sends, the program has got by itself, being in the same group; and what the program
  /// sends to its own group is not news to it.
  private func pass(_ signal: Int32, from origin: SignalOrigin) {
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
  private let tell: (Result<Void, Message>) -> Void
  private var watch: Subscription?

  /// - Parameters:
  ///   - bus: attached to a loop that will run, and used for nothing else: the request ends with it.
  ///   - tell: called with each answer of a daemon, and when there is none (any more).
  init(
    bus: Bus, _ wish: RequestedRun.Wish,
    tell: @escaping (Result<Void, Message>) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.tell = tell
    let window = wish.window.map(Value.string)
    method = window == nil ? "Request" : "RequestWhileFocused"
    let words: [Value] = [.strings(wish.mask), .string(wish.application), .string(wish.why)]
    arguments = words + [window].compactMap(\.self)
    watch = try bus.watchName(ControlInterface.name) { [weak self] owner in self?.noteOwner(owner) }
  }

  private func noteOwner(_ owner: String?) {
    guard owner != nil else { return tell(.failure(.notRunning)) }
    do throws(BusError) {
      try bus.call(ControlInterface.target, method, arguments, startsService: false) { [tell] answer in
        tell(answer.map { _ in }.mapError(ControlClient.failure))
      }
    } catch {
      tell(.failure(ControlClient.failure(error)))
    }
  }
}
