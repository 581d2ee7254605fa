// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Everything that differs between compositors with an IPC socket: how each is found, its requests, and the meaning
/// of its answers and events. The rest is in `CompositorBackend` and `CompositorRotation`.
protocol CompositorDialect: AnyObject {
  nonisolated static var profile: CompositorProfile { get }

  var channel: any CompositorChannel { get }

  // MARK: Answers and events

  func value(_ answer: [UInt8]) -> Result<JSONValue, Message>
  /// The result of a change request; `displayRefused` if the compositor refused it.
  func outcome(_ answer: [UInt8]) -> Result<Void, Message>
  /// Called before any other request.
  /// - Parameter changed: called when something has changed that the compositor's own events do not report.
  func start(_ changed: @escaping (CompositorChanges) -> Void)
  func changes(_ event: CompositorMessage) throws(Message) -> CompositorChanges
  /// The compositor has reloaded its configuration, which drops all settings made at run time.
  func configurationWasRead()

  // MARK: Outputs

  var outputsQuestion: CompositorMessage { get }
  /// - Returns: `nil` if the value is not a list of outputs.
  func outputs(_ value: JSONValue) -> [CompositorOutput]?
  /// Whether the compositor sends events for all output changes.
  var reportsOutputs: Bool { get }
  /// Whether all changes that a rotation is planned from are reported by someone: then the outputs need not be read
  /// before each rotation.
  var reportsLayout: Bool { get }
  /// Reports changes of outputs where the compositor's own events do not; created before the outputs are read first.
  var watch: OutputWatch? { get }

  // MARK: Rotating

  func step(
    _ change: LayoutChange, _ goal: LayoutChange.Goal, among outputs: [CompositorOutput]
  ) -> CompositorStep
  /// Selects another form of the request after it was refused or had no effect.
  /// - Returns: whether there is one.
  func selectAlternative(_ outputs: [String], after refusal: Message?) -> Bool
  /// Disconnected outputs, at the places where they come back.
  var absent: [CompositorOutput] { get }
  func changeWasApplied(_ change: LayoutChange)
  /// The rotation was accepted but had no effect.
  /// - Parameter undoing: reverts what the compositor may have stored of it; empty if that was sent.
  func rotationWasIgnored(_ outputs: [String], undoing: [CompositorMessage])
  /// Outputs that are presumed off although the compositor reports them as on.
  var presumedOff: Set<String> { get }

  // MARK: Focus

  typealias FocusAnswer = Result<Window?, Message>

  /// - Parameter before: the window at the last reading.
  func readFocus(on outputs: [CompositorOutput], before: Window?, then: @escaping (FocusAnswer) -> Void)
  /// Whether windows are reported with their titles, and changes of titles as `focus`.
  var watchesTitles: Bool { get set }
  var applications: [[String]]? { get }

  // MARK: Input devices

  /// The user's settings: which touchscreens and pens follow.
  var settings: DisplaySettings { get set }
  func readDevices(then: @escaping (Result<Void, Message>) -> Void)
  /// The devices of the last reading, where the compositor does not rotate touchscreens and pens with their panels.
  func touchDevices(among outputs: [CompositorOutput]) -> [CompositorTouch.Device]
  /// `nil` where the compositor cannot disable devices.
  var disabling: InputDisabling? { get }
  /// Called last, when the loop will not run again.
  func stop()

  // MARK: Doctor

  /// The first requests the version. Not all are answered in JSON.
  var inspectionQuestions: [CompositorMessage] { get }
  func inspection(_ answers: [[UInt8]], of outputs: [CompositorOutput]) -> DisplayInspection
}

/// Defaults: most compositors apply or refuse a request at once, and rotate touch input themselves.
extension CompositorDialect {
  func value(_ answer: [UInt8]) -> Result<JSONValue, Message> {
    JSONValue(answer).map(Result.success) ?? .failure(.garbled("it is not JSON"))
  }

  func start(_ changed: @escaping (CompositorChanges) -> Void) {}
  func configurationWasRead() {}
  var reportsOutputs: Bool { false }
  var reportsLayout: Bool { reportsOutputs }
  var watch: OutputWatch? { nil }
  func selectAlternative(_ outputs: [String], after refusal: Message?) -> Bool { false }
  var absent: [CompositorOutput] { [] }
  func changeWasApplied(_ change: LayoutChange) {}
  func rotationWasIgnored(_ outputs: [String], undoing: [CompositorMessage]) {}
  var presumedOff: Set<String> { [] }
  var applications: [[String]]? { nil }
  func readDevices(then: @escaping (Result<Void, Message>) -> Void) { then(.success(())) }
  func touchDevices(among outputs: [CompositorOutput]) -> [CompositorTouch.Device] { [] }
  var disabling: InputDisabling? { nil }
  func stop() {}

  // MARK: The same for every compositor

  var profile: CompositorProfile { Self.profile }

  func ask(_ question: CompositorMessage, then: @escaping (Result<JSONValue, Message>) -> Void) {
    channel.ask(question) { [self] in then($0.flatMap(value)) }
  }

  func run(_ request: CompositorMessage, then: @escaping (Result<Void, Message>) -> Void) {
    channel.ask(request) { [self] in then($0.flatMap(outcome)) }
  }

  func send(_ request: CompositorMessage, failed: @escaping (Message) -> Void = { _ in }) {
    run(request) { if case .failure(let reason) = $0 { failed(reason) } }
  }

  func readOutputs(then: @escaping (Result<[CompositorOutput], Message>) -> Void) {
    ask(outputsQuestion) { [self] in then(outputs(in: $0)) }
  }

  func outputs(in answer: Result<JSONValue, Message>) -> Result<[CompositorOutput], Message> {
    answer.flatMap { outputs($0).map(Result.success) ?? .failure(.garbled("no outputs")) }
  }
}

struct CompositorContext {
  var loop: EventLoop
  var settings = DisplaySettings()
  /// The timeout of an answer, in nanoseconds.
  var timeout = Self.defaultTimeout
  /// The delays before a reading that failed is repeated.
  var backoff = Backoff()
  var note: (Message) -> Void = { _ in }
  let visited = ArrangementHistory()

  /// The slowest rotation measured on a loaded machine took 10 ms.
  nonisolated static let defaultTimeout: Int64 = 2_000_000_000
}

/// What may have changed since it was last read.
struct CompositorChanges: OptionSet {
  var rawValue: UInt8

  static let outputs = Self(rawValue: 1)
  static let focus = Self(rawValue: 2)
  static let devices = Self(rawValue: 4)
  /// The configuration was reloaded, which may have changed everything but the focus.
  static let configuration = Self(rawValue: 8)
}

/// The requests of one step towards a goal; the outputs are checked after it.
struct CompositorStep {
  /// Sent in order, each after the previous one was accepted.
  var requests: [CompositorMessage] = []
  /// Whether positions are left to another step, planned when the transforms have been applied.
  var rotatesOnly = false
}

/// How a compositor is named and found, the commands that messages recommend, and its fixed properties.
nonisolated struct CompositorProfile: Sendable {
  /// As messages name it: "sway".
  var name: String
  /// Possible names of its process, in lower case.
  var programs: [String]
  /// The environment variable that leads to its socket, and the prefix of its files in XDG_RUNTIME_DIR.
  var variable: String
  var socketPrefix: String
  /// Commands that show its version, list its outputs, and reload its configuration.
  var version: String
  var listing: String
  var reload: String
  /// How to switch an output on: "with `…`".
  var switchingOn: @Sendable (_ output: String) -> Phrase
  /// The next step when an output was not rotated.
  var nextStep: @Sendable (_ output: String) -> Phrase
  /// Characters that would end or split a request, and so are not allowed in a name.
  var isForbiddenInName: @Sendable (Unicode.Scalar) -> Bool = { _ in false }
  /// How long after it has reported a reload the compositor may reset outputs, in nanoseconds.
  var settleTime: Int64 = 1_000_000_000
  /// How often a rotation is requested again that was accepted and not applied.
  var maximumRepetitions = 0
  /// Whether a rotation succeeds even if a neighbour does not move.
  var toleratesMisplacedNeighbours = false
  /// Whether the focus is known without a request, and may change with the outputs.
  var tracksFocus = false
}
