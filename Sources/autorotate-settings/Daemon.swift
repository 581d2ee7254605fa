// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// A client of the daemon, over the session bus.
final class Daemon {
  /// Limits for received data. Real lists of reasons are shorter, and longer texts are not readable.
  private static let maximumTexts = 32
  static let maximumCharacters = 300
  private static let maximumApplications = 1000
  /// The daemon answers at once unless it hangs.
  private static let timeout = Duration.seconds(5)
  /// Nanoseconds; the first answer usually takes a few milliseconds. A later one is still used.
  private static let silence: Int64 = 2_000_000_000

  /// Called at each change of its properties, and when it starts and ends.
  var onChange: () -> Void = {}
  /// Called with the text of each refusal.
  var onRefusal: (String) -> Void = { _ in }

  enum Connection: Equatable {
    case connecting
    /// The daemon or the bus does not answer in time.
    case timedOut
    case noBus(String)
    case connected
  }

  private var bus: Bus?
  private var follower: PropertyFollower?
  private var silenceTimer: EventTimer?
  /// Empty unless it runs and has answered.
  private var properties: [String: Value] = [:]
  private(set) var connection = Connection.connecting { didSet { onChange() } }

  /// Connects asynchronously: `onChange` is called with the answer. The daemon is not started.
  init() {
    do throws(BusError) {
      try connect(to: Bus(.session))
    } catch {
      end(error)
    }
    silenceTimer = try? MainLoop.events.timer(at: EventLoop.now + Self.silence) { [weak self] in
      if self?.connection == .connecting { self?.connection = .timedOut }
    }
  }

  private func connect(to bus: Bus) throws(BusError) {
    try bus.attach(to: MainLoop.events)
    bus.onClosed = { [weak self] in self?.end(Bus.Kind.session.silence) }
    follower = try PropertyFollower(of: ControlInterface.target, on: bus) { [weak self] in self?.receive($0) }
    self.bus = bus
  }

  private func end(_ error: BusError) {
    properties = [:]
    connection = .noBus(localized(error.phrase))
  }

  /// - Parameter properties: as for `PropertyFollower`.
  private func receive(_ properties: [String: Value]?) {
    self.properties = properties ?? [:]
    let orientation: String? = read(.interfaceOrientation)
    connection = properties != nil && orientation == nil ? .timedOut : .connected
  }

  var isRunning: Bool { !properties.isEmpty }

  // MARK: Properties

  /// Empty if an older daemon has no such property.
  func text(_ property: StatusProperty) -> String { read(property) ?? "" }

  func flag(_ property: StatusProperty) -> Bool { read(property) ?? false }

  func texts(_ property: StatusProperty) -> [String] {
    Self.shown(read(property) ?? [], atMost: Self.maximumTexts)
  }

  var postureEvidence: [PostureEvidence] {
    guard case .array(_, let readings)? = properties[StatusProperty.postureEvidence.name] else { return [] }
    return readings.prefix(Self.maximumTexts).compactMap(PostureEvidence.init)
  }

  private func read<T: ReadableFromBus>(_ property: StatusProperty) -> T? {
    try? properties[property.name]?.read()
  }

  private static func shown(_ texts: [String], atMost most: Int) -> [String] {
    texts.prefix(most).map { $0.printable(limit: maximumCharacters) }
  }

  // MARK: Calls

  func send(_ command: DaemonCommand) {
    let (method, arguments) = command.call
    call(ControlInterface.target, method, arguments.map(\.value)) { [weak self] answer in
      if case .failure(let error) = answer { self?.onRefusal(Self.words(of: error)) }
    }
  }

  /// Starts it by D-Bus activation.
  func start() {
    call(.driver, "StartServiceByName", [.string(ControlInterface.name), .uint32(0)]) { [weak self] answer in
      guard case .failure(let error) = answer else { return }
      let refusal = Self.words(of: error)
      let words: Phrase =
        "autorotate could not be started (\(refusal)). Check that the package autorotate is installed."
      self?.onRefusal(error.isReplyTimeout ? refusal : localized(words))
    }
  }

  /// The applications that have a window or had focus; `nil` from a daemon that does not answer or is older.
  func fetchApplications(_ answer: @escaping ([String]?) -> Void) {
    guard isRunning else { return answer([]) }
    call(ControlInterface.target, "GetChoices", [.string("applications")]) { result in
      let names: [String]? = try? result.get().read(0)
      answer(names.map { Self.shown($0, atMost: Self.maximumApplications) })
    }
  }

  private func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value],
    completion: @escaping (Result<[Value], BusError>) -> Void
  ) {
    guard let bus else {
      return onRefusal(localized("The session bus is not connected yet. Try again."))
    }
    do throws(BusError) {
      try bus.callSeparately(target, member, arguments, timeout: Self.timeout, completion: completion)
    } catch {
      completion(.failure(error))
    }
  }

  static var noAnswer: String {
    localized("autorotate does not answer. Run `autorotate doctor` in a terminal.")
  }

  private static func words(of error: BusError) -> String {
    error.isReplyTimeout ? noAnswer : String(localized(error.phrase).prefix(maximumCharacters))
  }
}
